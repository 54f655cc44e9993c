//! `fiel doctor`

use fiel_record::DoctorCheck;

/// One line per check.
pub fn doctor_screen(checks: &[DoctorCheck]) -> String {
    let line = |check: &DoctorCheck| {
        let mark = if check.good { "ok     " } else { "MISSING" };
        format!("{mark} {}: {}\n", check.what, check.detail)
    };
    checks.iter().map(line).collect()
}
