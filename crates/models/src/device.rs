//! The choice between CPU, CUDA and Metal.

use std::{fmt, str::FromStr};

use candle_core::{
    Device,
    utils::{cuda_is_available, metal_is_available},
};
use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// The device requested in settings or flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeviceChoice {
    /// CUDA if compiled in and present, else Metal if compiled in and present, else the CPU.
    #[default]
    Auto,
    /// The processor.
    Cpu,
    /// The first NVIDIA GPU.
    Cuda,
    /// The GPU of a Mac.
    Metal,
}

/// The class of the device in use. Results are reproducible to the bit only within a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeviceClass {
    /// The processor.
    Cpu,
    /// An NVIDIA GPU.
    Cuda,
    /// The GPU of a Mac.
    Metal,
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Auto => "auto",
            Self::Cpu => "cpu",
            Self::Cuda => "cuda",
            Self::Metal => "metal",
        })
    }
}

impl fmt::Display for DeviceClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Cpu => "cpu",
            Self::Cuda => "cuda",
            Self::Metal => "metal",
        })
    }
}

impl FromStr for DeviceChoice {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let choices = [Self::Auto, Self::Cpu, Self::Cuda, Self::Metal];
        choices.into_iter().find(|choice| choice.to_string() == text).ok_or_else(|| Error::Device {
            device: text.to_owned(),
            reason: "unknown device, expected auto, cpu, cuda or metal".to_owned(),
        })
    }
}

/// Returns the device for a choice and its class.
///
/// # Errors
/// [`Error::Device`] if CUDA or Metal is requested by name, but is not compiled in or not usable
/// on this machine. `auto` does not fail.
pub fn select_device(choice: DeviceChoice) -> Result<(Device, DeviceClass)> {
    let cuda = || {
        let advice = "install the NVIDIA driver";
        open_gpu(DeviceClass::Cuda, cuda_is_available(), Device::new_cuda, advice)
    };
    let metal = || {
        let advice = "run on a Mac with a Metal GPU";
        open_gpu(DeviceClass::Metal, metal_is_available(), Device::new_metal, advice)
    };
    let cpu = (Device::Cpu, DeviceClass::Cpu);
    match choice {
        DeviceChoice::Cpu => Ok(cpu),
        DeviceChoice::Cuda => cuda(),
        DeviceChoice::Metal => metal(),
        DeviceChoice::Auto => Ok(cuda().or_else(|_| metal()).unwrap_or(cpu)),
    }
}

fn open_gpu(
    class: DeviceClass,
    is_compiled_in: bool,
    open: fn(usize) -> candle_core::Result<Device>,
    advice: &str,
) -> Result<(Device, DeviceClass)> {
    let reason = if is_compiled_in {
        let cause = match open(0) {
            Ok(device) => return Ok((device, class)),
            Err(error) => error.to_string(),
        };
        let cause = cause.lines().next().unwrap_or_default();
        format!("not usable on this machine ({cause}); {advice}, or choose cpu or auto")
    } else {
        format!("not compiled in; build with `--features {class}` or choose cpu or auto")
    };
    Err(Error::Device { device: class.to_string(), reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_round_trip_and_unknown_names_list_the_known_ones() {
        for choice in
            [DeviceChoice::Auto, DeviceChoice::Cpu, DeviceChoice::Cuda, DeviceChoice::Metal]
        {
            assert_eq!(choice.to_string().parse::<DeviceChoice>().unwrap(), choice);
            let json = format!("\"{choice}\"");
            assert_eq!(serde_json::to_string(&choice).unwrap(), json);
            assert_eq!(serde_json::from_str::<DeviceChoice>(&json).unwrap(), choice);
        }
        let error = "gpu".parse::<DeviceChoice>().unwrap_err().to_string();
        assert!(error.contains("\"gpu\"") && error.contains("auto, cpu, cuda or metal"), "{error}");
    }

    #[test]
    fn cpu_is_always_available() {
        let (device, class) = select_device(DeviceChoice::Cpu).unwrap();
        assert!(device.is_cpu());
        assert_eq!(class.to_string(), "cpu");
        assert!(select_device(DeviceChoice::Auto).is_ok());
    }

    #[test]
    fn a_device_that_is_not_compiled_in_names_its_feature() {
        if !cuda_is_available() {
            let error = select_device(DeviceChoice::Cuda).unwrap_err().to_string();
            assert!(error.contains("--features cuda"), "{error}");
        }
        if !metal_is_available() {
            let error = select_device(DeviceChoice::Metal).unwrap_err().to_string();
            assert!(error.contains("--features metal"), "{error}");
        }
    }
}
