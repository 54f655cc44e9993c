//! Reading of tensors from a GGUF file.

use std::{collections::BTreeMap, fs::File, io::BufReader, path::Path, sync::Arc};

use candle_core::{
    Device, Tensor,
    quantized::{GgmlDType, QMatMul, QTensor, gguf_file::Content},
};

use super::config::load_error;
use crate::Result;

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
    pub(super) fn quantized(&mut self, name: &str) -> Result<Arc<QTensor>> {
        let tensor = self.raw(name)?;
        let old = tensor.dtype();
        if !matches!(old, GgmlDType::Q4_1 | GgmlDType::Q5_0 | GgmlDType::Q5_1) {
            return Ok(Arc::new(tensor));
        }
        *self.repacked.entry(format!("{old:?} to Q8_0")).or_default() += 1;
        let new = tensor
            .dequantize(&Device::Cpu)
            .and_then(|t| QTensor::quantize_onto(&t, GgmlDType::Q8_0, self.device));
        Ok(Arc::new(new.map_err(|e| load_error(self.path, format!("{name}: {e}")))?))
    }

    pub(super) fn matmul(&mut self, name: &str) -> Result<QMatMul> {
        let tensor = self.quantized(name)?;
        QMatMul::from_arc(tensor).map_err(|e| load_error(self.path, format!("{name}: {e}")))
    }

    /// Reads a norm or a bias in single precision.
    pub(super) fn dense(&mut self, name: &str) -> Result<Tensor> {
        let tensor = self.raw(name)?;
        tensor.dequantize(self.device).map_err(|e| load_error(self.path, format!("{name}: {e}")))
    }

    pub(super) fn optional_dense(&mut self, name: &str) -> Result<Option<Tensor>> {
        if self.has(name) { self.dense(name).map(Some) } else { Ok(None) }
    }

    fn raw(&mut self, name: &str) -> Result<QTensor> {
        self.content
            .tensor(&mut self.file, name, self.device)
            .map_err(|e| load_error(self.path, format!("tensor `{name}`: {e}")))
    }
}
