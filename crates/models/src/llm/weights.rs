//! Reading of tensors from a GGUF file.

use std::{collections::BTreeMap, fs::File, io::BufReader, path::Path};

use candle_core::{
    Device, Tensor,
    quantized::{GgmlDType, QMatMul, QTensor, gguf_file::Content},
};

use crate::{Error, Result};

/// Number of requantized tensors per conversion, such as "Q4_1 to Q8_0".
pub type Repacked = BTreeMap<String, usize>;

/// Reads the tensors of a file. Requantizes the ones without a fast kernel.
pub(super) struct Weights<'a> {
    pub(super) content: &'a Content,
    pub(super) file: BufReader<File>,
    pub(super) path: &'a Path,
    pub(super) device: &'a Device,
    pub(super) repacked: Repacked,
}

impl Weights<'_> {
    pub(super) fn has(&self, name: &str) -> bool {
        self.content.tensor_infos.contains_key(name)
    }

    /// Reads a matrix. Q4_1, Q5_0 and Q5_1 have no SIMD kernel in Candle and become Q8_0, which
    /// represents their values almost exactly, unlike Q4_0.
    pub(super) fn matmul(&mut self, name: &str) -> Result<QMatMul> {
        let mut tensor = self.raw(name)?;
        let dtype = tensor.dtype();
        if matches!(dtype, GgmlDType::Q4_1 | GgmlDType::Q5_0 | GgmlDType::Q5_1) {
            *self.repacked.entry(format!("{dtype:?} to Q8_0")).or_default() += 1;
            tensor = tensor
                .dequantize(&Device::Cpu)
                .and_then(|t| QTensor::quantize_onto(&t, GgmlDType::Q8_0, self.device))
                .map_err(|e| self.failed(name, e))?;
        }
        QMatMul::from_qtensor(tensor).map_err(|e| self.failed(name, e))
    }

    /// Reads a norm or a bias in single precision.
    pub(super) fn dense(&mut self, name: &str) -> Result<Tensor> {
        let tensor = self.raw(name)?;
        tensor.dequantize(self.device).map_err(|e| self.failed(name, e))
    }

    pub(super) fn optional_dense(&mut self, name: &str) -> Result<Option<Tensor>> {
        if self.has(name) { self.dense(name).map(Some) } else { Ok(None) }
    }

    fn raw(&mut self, name: &str) -> Result<QTensor> {
        let tensor = self.content.tensor(&mut self.file, name, self.device);
        tensor.map_err(|e| self.failed(name, e))
    }

    fn failed(&self, tensor: &str, error: candle_core::Error) -> Error {
        Error::load(self.path, format!("tensor `{tensor}`: {error}"))
    }
}
