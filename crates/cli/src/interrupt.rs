//! Ctrl-C.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use anyhow::Result;

use crate::output::note;

/// A flag that the first Ctrl-C sets, printing `message`. The second Ctrl-C ends the program.
pub fn stop_flag(message: &'static str) -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        note(false, message);
    })?;
    Ok(stop)
}
