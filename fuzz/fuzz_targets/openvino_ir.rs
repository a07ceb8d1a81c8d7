//! Any bytes as OpenVINO's `model.xml`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use onnx_conformance::openvino::Model;

fuzz_target!(|bytes: &[u8]| {
    let Ok(model) = Model::read("model.xml", bytes) else { return };
    // Every layer comes once, after those that it reads.
    let mut done = vec![false; model.layers().len()];
    for &layer in model.order() {
        let operands = &model.layers()[layer].operands;
        assert!(operands.iter().all(|&operand| done[operand]));
        assert!(!std::mem::replace(&mut done[layer], true));
    }
    assert!(done.into_iter().all(|done| done));
    let _ = (model.operators(), model.first_opset());
});
