//! What the commands print on the terminal.

pub(crate) mod ablation;
pub(crate) mod bench;
pub(crate) mod calibration;
pub(crate) mod compare;
pub(crate) mod diagnosis;
pub(crate) mod gate;
pub(crate) mod runs;
