//! Weights that are exact, bounds that are narrow, and which keys a query sees.

use values::dtype::DType::{Float32, Float64};
use values::tensor::Tensor;

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Attributes, Specification};

/// A call of a version in float32 with as many outputs, its attributes and its inputs.
struct Given {
    since: i64,
    outputs: usize,
    attributes: Attributes,
    inputs: Vec<Option<Tensor>>,
}

fn floats(shape: &[usize], all: &[f32]) -> Option<Tensor> {
    let all: Vec<f32> = all.iter().copied().cycle().take(shape.iter().product()).collect();
    Tensor::from_values(Float32, shape.to_vec(), all).ok()
}

fn truth(shape: &[usize], all: &[u8]) -> Option<Tensor> {
    Tensor::from_values(Bool, shape.to_vec(), all.to_vec()).ok()
}

fn integers(all: &[i64]) -> Option<Tensor> {
    Tensor::from_values(Int64, vec![all.len()], all.to_vec()).ok()
}

impl Given {
    /// So many queries of 0 and keys of 1, and the values 1, 2, 4 and so on.
    fn same(since: i64, queries: usize, keys: usize) -> Self {
        let values: Vec<f32> = (0..keys).map(|at| f32::from(1_u8 << at)).collect();
        let inputs = vec![
            floats(&[1, 1, queries, 1], &[0.0]),
            floats(&[1, 1, keys, 1], &[1.0]),
            floats(&[1, 1, keys, 1], &values),
        ];
        Self { since, outputs: 1, attributes: Attributes::new(), inputs }
    }

    fn with(mut self, name: &str, value: i64) -> Self {
        self.attributes.insert(name.to_owned(), AttributeValue::Int(value));
        self
    }

    fn float(mut self, name: &str, value: f32) -> Self {
        self.attributes.insert(name.to_owned(), AttributeValue::Float(value.to_bits()));
        self
    }

    fn input(mut self, at: usize, tensor: Option<Tensor>) -> Self {
        self.inputs.resize(self.inputs.len().max(at + 1), None);
        self.inputs[at] = tensor;
        self
    }

    fn output(self, at: usize) -> Result<Vec<Conforming>, Invalid> {
        let version = ATTENTION.version(self.since).unwrap();
        let outputs = self.outputs.max(at + 1);
        let (operator, onnx) = (&ATTENTION, Specification::Onnx);
        // Those between Y and the one that is looked at are left out.
        let asked: Vec<bool> = (0..outputs).map(|own| own == 0 || own == at).collect();
        let (call, types) =
            Call::asking_for(&asked, operator, version, onnx, self.attributes, self.inputs)?;
        let allowed = operator.reference.allowed(&call, &types);
        let place = usize::from(at > 0);
        let count = types[place].shape.iter().product();
        Ok((0..count).map(|index| allowed[place].at(index)).collect())
    }
}

fn one(number: f32) -> Conforming {
    Conforming::One(number.to_bits().into())
}

fn ones(numbers: &[f32]) -> Vec<Conforming> {
    numbers.iter().map(|number| one(*number)).collect()
}

fn is_zero(conforming: &Conforming) -> bool {
    *conforming == Conforming::either_zero(&values::float::FloatFormat::FLOAT32)
}

#[test]
fn equal_scores_have_equal_weights() {
    assert_eq!(Given::same(23, 1, 4).output(0), Ok(ones(&[3.75])));
    let one_key = Given::same(23, 2, 1).input(0, floats(&[1, 1, 2, 1], &[0.3, -7.0]));
    assert_eq!(one_key.output(0), Ok(ones(&[1.0, 1.0])));
}

#[test]
fn the_frontier_begins_at_the_upper_left_corner_and_follows_a_past_and_counts_of_tokens() {
    let causal = |given: Given| given.with("is_causal", 1).output(0);
    assert_eq!(causal(Given::same(23, 2, 4)), Ok(ones(&[1.0, 1.5])));
    let past = |tensor: f32| floats(&[1, 1, 1, 1], &[tensor]);
    let behind = Given::same(23, 2, 2).input(4, past(1.0)).input(5, past(8.0));
    // The past comes first: (8 + 1) / 2, and (8 + 1 + 2) / 3, which is rounded.
    let all = causal(behind).unwrap();
    assert_eq!(all[0], one(4.5));
    assert!(all[1].accepts((11.0_f32 / 3.0).to_bits().into()));
    let counted = Given::same(24, 2, 4).input(6, integers(&[2]));
    assert_eq!(causal(counted), Ok(ones(&[1.0, 1.5])));
    let short = causal(Given::same(24, 2, 4).input(6, integers(&[1]))).unwrap();
    assert!(is_zero(&short[0]) && short[1] == one(1.0));
}

#[test]
fn windows_lie_around_the_place_of_the_query() {
    let window = |left: i64, right: i64| {
        let given = Given::same(25, 3, 4).with("left_window_size", left);
        given.with("right_window_size", right).output(0).unwrap()
    };
    assert_eq!(window(0, 0), ones(&[1.0, 2.0, 4.0]));
    assert_eq!(window(-1, 0)[..2], ones(&[1.0, 1.5]));
    assert_eq!(window(0, 1), ones(&[1.5, 3.0, 6.0]));
    assert!(Given::same(25, 1, 1).with("left_window_size", -2).output(0).is_err());
}

#[test]
fn what_a_mask_hides_weighs_nothing() {
    let masked = Given::same(23, 2, 4).input(3, truth(&[2, 4], &[1, 0, 0, 0, 0, 1, 1, 0]));
    assert_eq!(masked.output(0), Ok(ones(&[1.0, 3.0])));
    let hidden = f32::NEG_INFINITY;
    let added = Given::same(23, 1, 4).input(3, floats(&[4], &[0.0, hidden, hidden, 0.0]));
    assert_eq!(added.output(0), Ok(ones(&[4.5])));
    let padded = Given::same(24, 1, 4).input(3, truth(&[2], &[1, 1]));
    assert_eq!(padded.output(0), Ok(ones(&[1.5])));
    assert!(Given::same(23, 1, 4).input(3, truth(&[2], &[1, 1])).output(0).is_err());
}

#[test]
fn a_query_that_sees_nothing_has_zeros_unless_the_text_is_silent() {
    let nothing = |since| Given::same(since, 1, 2).input(3, truth(&[2], &[0, 0]));
    for since in [23, 24, 25] {
        assert!(is_zero(&nothing(since).output(0).unwrap()[0]), "{since}");
        let weights = nothing(since).with("qk_matmul_output_mode", 3).output(3);
        assert_eq!(weights, Ok(ones(&[0.0, 0.0])));
    }
    let added = |since| Given::same(since, 1, 2).input(3, floats(&[2], &[f32::NEG_INFINITY]));
    assert!(is_zero(&added(23).output(0).unwrap()[0]));
    let open = &added(24).output(0).unwrap()[0];
    assert!(open.accepts(f32::NAN.to_bits().into()) && open.accepts(0) && !open.accepts(1));
}

#[test]
fn groups_of_heads_of_queries_share_heads_of_keys_in_order() {
    let inputs = vec![
        floats(&[1, 4, 1, 1], &[0.0]),
        floats(&[1, 2, 1, 1], &[1.0]),
        floats(&[1, 2, 1, 1], &[5.0, 7.0]),
    ];
    let given = Given { since: 23, outputs: 1, attributes: Attributes::new(), inputs };
    assert_eq!(given.output(0), Ok(ones(&[5.0, 5.0, 7.0, 7.0])));
}

#[test]
fn stages_of_the_scores_are_shown_in_order() {
    let stage = |mode: i64| {
        let given = Given::same(23, 1, 2)
            .input(0, floats(&[1, 1, 1, 1], &[4.0]))
            .input(3, truth(&[2], &[1, 0]))
            .float("scale", 1.0)
            .float("softcap", 2.0);
        given.with("qk_matmul_output_mode", mode).output(3).unwrap()
    };
    assert_eq!(stage(0), ones(&[4.0, 4.0]));
    let capped = ((2.0_f64).tanh() * 2.0) as f32;
    assert!(
        stage(1)
            .iter()
            .all(|one| one.accepts(capped.to_bits().into()) && !one.accepts(one_of(4.0)))
    );
    assert_eq!(stage(2)[1], one(f32::NEG_INFINITY));
    assert_eq!(stage(3), ones(&[1.0, 0.0]));
    assert!(Given::same(23, 1, 2).with("qk_matmul_output_mode", 4).output(3).is_err());
}

fn one_of(number: f32) -> u64 {
    number.to_bits().into()
}

#[test]
fn bounds_are_narrow_where_the_scores_are_small() {
    let (q, k, v) = ([0.5_f32, -0.25], [1.0_f32, 0.5, -0.75], [3.0_f32, 5.0, 9.0]);
    let inputs =
        vec![floats(&[1, 1, 2, 1], &q), floats(&[1, 1, 3, 1], &k), floats(&[1, 1, 3, 1], &v)];
    let given = Given { since: 23, outputs: 1, attributes: Attributes::new(), inputs };
    for (conforming, q) in given.output(0).unwrap().iter().zip(q) {
        let powers: Vec<f64> = k.iter().map(|k| (f64::from(q) * f64::from(*k)).exp()).collect();
        let terms = powers.iter().zip(v).map(|(power, v)| power * f64::from(v));
        let near = one_of((terms.sum::<f64>() / powers.iter().sum::<f64>()) as f32);
        assert!(conforming.accepts(near), "{conforming:?}");
        assert!(!conforming.accepts(near + 16) && !conforming.accepts(near - 16), "{conforming:?}");
    }
}

#[test]
fn either_root_of_the_scale_conforms_in_float64() {
    let doubles =
        |all: &[f64]| Tensor::from_values(Float64, vec![1, 1, all.len(), 1], all.to_vec()).ok();
    let inputs = vec![doubles(&[1.0]), doubles(&[1.0]), doubles(&[1.0])];
    let given = Given { since: 23, outputs: 1, attributes: Attributes::new(), inputs };
    let score = &given.float("scale", 0.3).output(3).unwrap()[0];
    let root = f64::from(0.3_f32.sqrt());
    let [own, single] = [f64::from(0.3_f32), root * root];
    assert!(own != single && score.accepts(own.to_bits()) && score.accepts(single.to_bits()));
    assert!(!score.accepts(((own + single) / 2.0).to_bits()));
}

#[test]
fn present_keys_and_values_are_those_of_the_past_and_the_new_ones() {
    let given = Given::same(23, 1, 2)
        .input(4, floats(&[1, 1, 1, 1], &[f32::NAN]))
        .input(5, floats(&[1, 1, 1, 1], &[9.0]));
    let all = given.output(2).unwrap();
    let bits: Vec<_> = all.iter().map(|one| one.example().unwrap() as u32).collect();
    assert_eq!(bits, [9.0_f32, 1.0, 2.0].map(f32::to_bits));
}

#[test]
fn what_no_sentence_decides_is_left_open() {
    let is_open = |given: Given| {
        let all = given.output(0).unwrap();
        all.iter().all(|one| matches!(one, Conforming::Unspecified(_)))
    };
    let integers_added = Tensor::from_values(values::dtype::DType::Int32, vec![2], vec![1, 0]).ok();
    assert!(is_open(Given::same(23, 1, 2).input(3, integers_added)));
    assert!(is_open(Given::same(24, 1, 2).input(3, truth(&[1], &[1]))));
    assert!(!is_open(Given::same(23, 1, 2).input(3, truth(&[1], &[1]))));
    assert!(is_open(Given::same(24, 1, 2).input(6, integers(&[3]))));
    assert!(is_open(Given::same(23, 1, 2).float("scale", -1.0)));
    assert!(is_open(Given::same(23, 1, 2).float("softcap", -1.0)));
}
