//! What each kernel takes beside what the reference states of its operator: versions, inputs, element types, attributes
//! and what SONNX restricts it to. Neither knows of the other, so this is where the two are held together.

use std::collections::BTreeSet;

use onnx_conformance::dtype::DType;
use onnx_conformance::kernels::{
    self, Attribute, Attributes, Document, ErrorKind, KernelError, find, find_in_openvino, newest,
};
use onnx_conformance::reference::case_spec::CaseSpec;
use onnx_conformance::reference::operator::{
    self, AttributeType, AttributeValue, Call, Domain, LATEST_OPSET, Operator, Port, Presence,
    Specification, TensorType, Version,
};
use onnx_conformance::reference::operators::OPERATORS;
use onnx_conformance::tensor::Tensor;

/// An operator set that neither knows is not taken for an older one.
#[test]
fn no_operator_set_has_a_version_that_is_older_than_its_own() {
    for operator in OPERATORS.iter().filter(|operator| operator.domain == Domain::Onnx) {
        for opset in 1..=LATEST_OPSET + 2 {
            let known = operator.version(opset).map(|version| version.since);
            let kernel = find(operator.name, opset).map(|kernel| kernel.since_version());
            assert_eq!(known, kernel, "{operator} in operator set {opset}");
            assert!(known.is_none() || opset <= LATEST_OPSET, "{operator}");
        }
    }
    assert!(find("Cast", LATEST_OPSET).is_some() && find("Cast", LATEST_OPSET + 1).is_none());
}

/// A call that a case of the suites makes, of which the reference says what types its outputs have.
struct Sample {
    specification: Specification,
    kernel: kernels::Operator,
    call: Call,
    asked: Vec<bool>,
    outputs: Vec<TensorType>,
    attributes: Attributes,
}

impl Sample {
    /// The call of a case that expects values; `None` of one that expects a refusal.
    fn of(operator: &'static Operator, spec: CaseSpec) -> Option<Self> {
        if spec.refusal.is_some() {
            return None;
        }
        let (asked, specification) = (spec.requested(), spec.specification);
        let version = operator.version(spec.opset)?;
        let attributes = spec.attributes.iter().map(|(name, value)| (name.clone(), given(value)));
        let attributes = attributes.collect();
        let values = spec.attributes.into_iter().collect();
        let made = Call::asking_for(&asked, operator, version, specification, values, spec.inputs);
        let (call, outputs) = made.ok()?;
        let kernel = kernel(operator, version.since)?;
        Some(Self { specification, kernel, call, asked, outputs, attributes })
    }

    fn elements(&self) -> usize {
        self.call.inputs.iter().flatten().map(Tensor::elements).sum()
    }

    /// What the reference says of the same call with other inputs and attributes, if it is valid.
    fn inferred(
        &self,
        inputs: Vec<Option<Tensor>>,
        attributes: operator::Attributes,
    ) -> Option<Vec<TensorType>> {
        let Call { operator, version, .. } = self.call;
        let made = Call::asking_for(
            &self.asked,
            operator,
            version,
            self.specification,
            attributes,
            inputs,
        );
        made.ok().map(|(_, outputs)| outputs)
    }

    /// What the kernel makes of the same call with other inputs and attributes: types and shapes of its outputs.
    fn run(
        &self,
        inputs: &[Option<Tensor>],
        attributes: &Attributes,
    ) -> Result<Vec<TensorType>, KernelError> {
        let inputs: Vec<_> = inputs.iter().map(Option::as_ref).collect();
        let outputs = self.kernel.run_for(self.asked.len(), &inputs, attributes)?;
        let asked = outputs.iter().zip(&self.asked).filter(|(_, asked)| **asked);
        Ok(asked.map(|(output, _)| TensorType::of(output)).collect())
    }

    fn is_done(&self) -> bool {
        match self.run(&self.call.inputs, &self.attributes) {
            Ok(outputs) if outputs == self.outputs => true,
            result => {
                assert!(!self.is_decided(), "{}: {result:?}, not {:?}", self.kernel, self.outputs);
                false
            }
        }
    }

    /// Whether the reference decides an element.
    fn is_decided(&self) -> bool {
        let allowed = self.call.operator.reference.allowed(&self.call, &self.outputs);
        allowed.iter().zip(&self.outputs).any(|(allowed, output)| {
            let elements = output.shape.iter().product();
            (0..elements).any(|index| allowed.at(index).is_decided())
        })
    }

    /// The inputs with those in these places converted to another type.
    fn retyped(&self, dtype: DType, is_meant: impl Fn(usize) -> bool) -> Vec<Option<Tensor>> {
        let retype = |(at, input): (usize, &Option<Tensor>)| {
            let input = input.as_ref()?;
            Some(if is_meant(at) { converted(input, dtype) } else { input.clone() })
        };
        self.call.inputs.iter().enumerate().map(retype).collect()
    }
}

fn kernel(operator: &Operator, opset: i64) -> Option<kernels::Operator> {
    match operator.domain {
        Domain::Onnx => find(operator.name, opset),
        Domain::OpenVino => find_in_openvino(operator.name, opset),
    }
}

/// A tensor as one of another type; ones of it where that is not possible.
fn converted(tensor: &Tensor, dtype: DType) -> Tensor {
    let to = Attribute::Int(dtype.onnx_code().into());
    let outputs = newest("Cast").unwrap().run(&[Some(tensor)], &[("to".into(), to)].into());
    outputs.map_or_else(|_| ones(dtype, tensor.shape()), |mut outputs| outputs.remove(0))
}

/// A tensor whose elements have the pattern 1.
fn ones(dtype: DType, shape: &[usize]) -> Tensor {
    let elements = shape.iter().product();
    if dtype == DType::String {
        return Tensor::from_strings(shape.to_vec(), vec!["1".into(); elements]).unwrap();
    }
    Tensor::from_elements(dtype, shape.to_vec(), std::iter::repeat_n(1, elements)).unwrap()
}

/// A value as kernels take it.
fn given(value: &AttributeValue) -> Attribute {
    match value.clone() {
        AttributeValue::Int(value) => Attribute::Int(value),
        AttributeValue::Ints(values) => Attribute::Ints(values),
        AttributeValue::Float(bits) => Attribute::Float(f32::from_bits(bits)),
        AttributeValue::Floats(bits) => {
            Attribute::Floats(bits.into_iter().map(f32::from_bits).collect())
        }
        AttributeValue::Text(text) => Attribute::Text(text),
        AttributeValue::Texts(texts) => Attribute::Texts(texts),
        AttributeValue::Tensor(tensor) => Attribute::Tensor(tensor),
        AttributeValue::Sparse(sparse) => Attribute::Sparse(sparse),
        AttributeValue::Other => Attribute::Other,
    }
}

/// The calls of the suites' cases, the smallest first but for those without elements.
fn samples(operator: &'static Operator) -> Vec<Sample> {
    let stated = operator.cases.unwrap();
    let all = Specification::ALL.into_iter().flat_map(|suite| stated(suite).unwrap());
    let mut samples: Vec<_> = all.filter_map(|spec| Sample::of(operator, spec)).collect();
    samples.sort_by_key(|sample| (sample.elements() == 0, sample.elements()));
    samples
}

#[test]
fn every_kernel_has_the_signature_that_the_reference_states() {
    let versions = OPERATORS.iter().flat_map(|operator| operator.versions);
    let names: BTreeSet<&str> =
        versions.flat_map(|version| version.attributes).map(|attribute| attribute.name).collect();
    let mut problems = Vec::new();
    let mut seen = BTreeSet::new();
    for &operator in OPERATORS {
        let samples = samples(operator);
        let mut before = None;
        for version in operator.versions {
            let named = format!("{:?} {operator}-{}", operator.domain, version.since);
            let Some(kernel) = kernel(operator, version.since) else {
                problems.push(format!("{named}: no kernel"));
                continue;
            };
            assert!(seen.insert((kernel.domain(), kernel.name(), kernel.since_version())));
            if self::kernel(operator, version.since - 1) != before {
                problems.push(format!("{named}: the kernel is there earlier"));
            }
            before = Some(kernel);
            let is_meant =
                |sample: &&Sample| sample.kernel == kernel && !sample.specification.is_restricted();
            let of_version = samples.iter().filter(is_meant);
            let of_version: Vec<_> = of_version.collect();
            let mut check = |what: Result<(), String>| {
                problems.extend(what.err().map(|problem| format!("{named}: {problem}")));
            };
            let Some(sample) = of_version.iter().find(|sample| sample.is_done()) else {
                check(Err("no sample".into()));
                continue;
            };
            for at in 0..version.inputs.len() {
                check(presence(&of_version, version, at));
                for dtype in DType::ALL {
                    check(types(&of_version, version, at, dtype));
                }
            }
            check(arity(sample, version));
            check(equal_types(&of_version, version));
            for name in names.iter().copied().chain(["unknown"]) {
                check(attribute(&of_version, sample, version, name));
            }
        }
        let restricted: Vec<_> =
            samples.iter().filter(|sample| sample.specification == Specification::Sonnx).collect();
        if let Some(kernel) = before {
            problems.extend(restriction(kernel, &restricted).err());
            problems.extend(elementwise(kernel, &samples).err());
        }
    }
    let all: BTreeSet<_> = kernels::operators()
        .map(|kernel| (kernel.domain(), kernel.name(), kernel.since_version()))
        .collect();
    assert_eq!(seen, all);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Whether an input may be left out where the reference says so.
fn presence(samples: &[&Sample], version: &Version, at: usize) -> Result<(), String> {
    let port = &version.inputs[at];
    let name = port.name;
    let Some(sample) = samples
        .iter()
        .find(|it| it.call.inputs.get(at).is_some_and(Option::is_some) && it.is_done())
    else {
        return Err(format!("no sample with {name}"));
    };
    let mut inputs = sample.call.inputs.clone();
    inputs[at] = None;
    let error = sample.run(&inputs, &sample.attributes).err();
    let is_missed =
        matches!(&error, Some(KernelError::MissingInput { .. } | KernelError::Arity { .. }));
    let is_needed = port.presence != Presence::Optional;
    if is_missed != is_needed {
        return Err(format!("{name} left out: {error:?}"));
    }
    Ok(())
}

/// Whether the kernel takes an input of a type where the reference does, and then gives outputs of the same types.
fn types(samples: &[&Sample], version: &Version, at: usize, dtype: DType) -> Result<(), String> {
    let port = &version.inputs[at];
    let is_same = |at: usize| version.input(at).is_some_and(|it| it.variable == port.variable);
    let dtype_of = |it: &Sample| it.call.inputs.get(at)?.as_ref().map(Tensor::dtype);
    let mut having = samples.iter().filter(|it| dtype_of(it).is_some());
    if port.types.contains(&dtype) {
        let is_taken = |sample: &&Sample| {
            if dtype_of(sample) == Some(dtype) {
                return sample.is_done();
            }
            let inputs = sample.retyped(dtype, is_same);
            let right = sample.inferred(inputs.clone(), sample.call.attributes.clone());
            right.is_some() && sample.run(&inputs, &sample.attributes).ok() == right
        };
        let is_taken = having.any(is_taken);
        return is_taken.then_some(()).ok_or_else(|| format!("no {} of {dtype}", port.name));
    }
    let Some(sample) = having.next() else { return Err(format!("no case gives {}", port.name)) };
    match sample.run(&sample.retyped(dtype, is_same), &sample.attributes) {
        Err(error @ (KernelError::Type { .. } | KernelError::InputType { .. })) => {
            assert_eq!(error.kind(), ErrorKind::Invalid);
            Ok(())
        }
        other => Err(format!("{} of {dtype}: {other:?}", port.name)),
    }
}

/// Whether inputs with one type variable have to have one type.
fn equal_types(samples: &[&Sample], version: &Version) -> Result<(), String> {
    for (at, port) in version.inputs.iter().enumerate() {
        let is_first = |other: &Port| other.variable != port.variable;
        let Some(other) = port.types.iter().rfind(|_| port.types.len() > 1) else { continue };
        let is_given = |it: &&&Sample| {
            let dtype = |at: usize| it.call.inputs.get(at)?.as_ref().map(Tensor::dtype);
            dtype(at).is_some_and(|dtype| dtype != *other)
        };
        if version.inputs[..at].iter().all(is_first) {
            continue;
        }
        let Some(sample) = samples.iter().find(is_given) else { continue };
        let inputs = sample.retyped(*other, |place| place == at);
        let refused = sample.run(&inputs, &sample.attributes);
        if !matches!(refused, Err(KernelError::TypesDiffer { .. })) {
            return Err(format!("{} of {other}, others not: {refused:?}", port.name));
        }
    }
    Ok(())
}

/// How many inputs the kernel takes.
fn arity(sample: &Sample, version: &Version) -> Result<(), String> {
    let is_needed = |port: &Port| port.presence != Presence::Optional;
    if let Some(last) = version.inputs.iter().rposition(is_needed) {
        let fewer = sample.run(&sample.call.inputs[..last], &sample.attributes);
        if !matches!(fewer, Err(KernelError::Arity { .. })) {
            return Err(format!("one less: {fewer:?}"));
        }
    }
    let variadic = version.inputs.iter().any(|port| port.presence == Presence::Variadic);
    let mut inputs = sample.call.inputs.clone();
    inputs.push(inputs.last().cloned().flatten().or(Some(ones(DType::Float32, &[]))));
    let more = sample.run(&inputs, &sample.attributes);
    if matches!(more, Err(KernelError::Arity { .. })) == variadic {
        return Err(format!("one more: {more:?}"));
    }
    Ok(())
}

/// Whether the kernel knows an attribute, and takes what the reference takes of it.
fn attribute(
    samples: &[&Sample],
    sample: &Sample,
    version: &Version,
    name: &str,
) -> Result<(), String> {
    let with = |sample: &Sample, value: &Attribute| {
        let mut all = sample.attributes.clone();
        all.insert(name.to_owned(), value.clone());
        sample.run(&sample.call.inputs, &all)
    };
    let Some(spec) = version.attributes.iter().find(|spec| spec.name == name) else {
        return match with(sample, &Attribute::Int(0)) {
            Err(error @ KernelError::UnknownAttribute { .. }) => {
                assert_eq!(error.kind(), ErrorKind::Invalid);
                Ok(())
            }
            other => Err(format!("takes {name}: {other:?}")),
        };
    };
    let text = |text: &str| AttributeValue::Text(text.to_owned());
    let mut values = vec![
        AttributeValue::Ints(vec![0]),
        AttributeValue::Float(0.5_f32.to_bits()),
        AttributeValue::Float((-1.0_f32).to_bits()),
        AttributeValue::Floats(vec![0.5_f32.to_bits()]),
        text("unknown"),
        AttributeValue::Texts(vec!["unknown".to_owned()]),
        AttributeValue::Other,
    ];
    values.extend((-2..4).map(AttributeValue::Int));
    values.extend(DType::ALL.map(|dtype| AttributeValue::Tensor(ones(dtype, &[1]))));
    for other in sample.call.operator.versions.iter().flat_map(|version| version.attributes) {
        if let (true, AttributeType::Text(choices)) = (other.name == name, other.value) {
            values.extend(choices.iter().map(|choice| text(choice)));
        }
    }
    let versioned = sample.kernel.to_string();
    let differs = DIFFERENT.iter().any(|(versions, attribute)| {
        let is_of_all = versions.ends_with('-') && versioned.starts_with(versions);
        (is_of_all || versioned == *versions) && name == *attribute
    });
    let mut is_taken = samples.iter().any(|it| it.attributes.contains_key(name) && it.is_done());
    let mut differences = Vec::new();
    for value in values {
        let actual = with(sample, &given(&value));
        let mut attributes = sample.call.attributes.clone();
        attributes.insert(name.to_owned(), value.clone());
        let right = sample.inferred(sample.call.inputs.clone(), attributes);
        let is_refused = matches!(actual, Err(KernelError::BadAttribute { .. }));
        is_taken |= right.is_some();
        if actual.as_ref().ok() != right.as_ref() || !is_of(spec.value, &value) && !is_refused {
            differences.push(format!("{value:?}: {actual:?}, not {right:?}"));
        }
    }
    match (is_taken, differs, &differences[..]) {
        (true, false, []) | (true, true, [_, ..]) => Ok(()),
        (false, ..) => Err(format!("no value of {name} is taken")),
        (_, true, []) => Err(format!("{name} does not differ any more")),
        _ => Err(format!("{name}: {}", differences.join("; "))),
    }
}

/// The attributes of which kernels take other values than the reference: Cast-6 takes names too, as the cases of
/// ONNX 1.1.2 write them, the others no number to which their documents give no meaning, and Upsample-1 no means of truth
/// values.
const DIFFERENT: [(&str, &str); 7] = [
    ("Cast-6", "to"),
    ("IsInf-", "detect_negative"),
    ("IsInf-", "detect_positive"),
    ("QuantizeLinear-", "precision"),
    ("Range-", "stash_type"),
    ("ReverseSequence-", "time_axis"),
    ("Upsample-1", "mode"),
];

/// Whether a value is of a kind.
fn is_of(kind: AttributeType, value: &AttributeValue) -> bool {
    match value {
        AttributeValue::Int(_) => kind == AttributeType::Int,
        AttributeValue::Ints(_) => kind == AttributeType::Ints,
        AttributeValue::Float(_) => kind == AttributeType::Float,
        AttributeValue::Floats(_) => kind == AttributeType::Floats,
        AttributeValue::Text(text) => match kind {
            AttributeType::Text(choices) => choices.contains(&text.as_str()),
            kind => kind == AttributeType::AnyText,
        },
        AttributeValue::Texts(_) => kind == AttributeType::Texts,
        AttributeValue::Tensor(_) => kind == AttributeType::Tensor,
        AttributeValue::Sparse(_) => kind == AttributeType::Sparse,
        AttributeValue::Other => false,
    }
}

/// Whether the kernel states of SONNX what the cases of its suite do.
fn restriction(kernel: kernels::Operator, samples: &[&Sample]) -> Result<(), String> {
    let Some(restriction) = kernel.restriction(Document::Sonnx) else {
        return match samples {
            [] => Ok(()),
            _ => Err(format!("{kernel}: SONNX restricts nothing")),
        };
    };
    for (at, types) in restriction.types.iter().enumerate() {
        let of = |sample: &&Sample| match &sample.call.inputs[..] {
            [] => Some(sample.outputs[at].dtype),
            inputs => inputs.get(at)?.as_ref().map(Tensor::dtype),
        };
        let stated: BTreeSet<&str> = samples.iter().filter_map(of).map(DType::name).collect();
        let own: BTreeSet<&str> = types.iter().map(|dtype| dtype.name()).collect();
        // The document of Abs names bfloat16, which the suite has no case of.
        let own: BTreeSet<&str> = match kernel.name() {
            "Abs" => own.into_iter().filter(|name| *name != "bfloat16").collect(),
            _ => own,
        };
        if stated != own {
            return Err(format!("{kernel}: SONNX {at} {stated:?} {own:?}"));
        }
    }
    Ok(())
}

/// Whether both compute the operator element by element.
fn elementwise(kernel: kernels::Operator, samples: &[Sample]) -> Result<(), String> {
    let mut of_kernel = samples.iter().filter(|sample| sample.kernel == kernel).take(20);
    let sample = of_kernel.clone().next().unwrap();
    // The reference has no function of single elements for these.
    let is_elementwise = ["Cast", "Clip", "Mean", "Sum"].contains(&kernel.name())
        || of_kernel.any(|sample| {
            let allowed = sample.call.operator.reference.allowed(&sample.call, &sample.outputs);
            allowed[0].function().is_some()
        });
    let inputs = sample.call.version.inputs;
    let needed = inputs.iter().filter(|port| port.presence != Presence::Optional).count();
    match kernel.broadcast(&Attributes::new(), &vec![&[2, 2][..]; needed]) {
        Ok(plan) if is_elementwise => {
            assert_eq!((plan.shape(), plan.operand_index(0, 3)), (&[2, 2][..], Some(3)));
            Ok(())
        }
        Err(KernelError::NotElementwise { .. }) if !is_elementwise => Ok(()),
        other => Err(format!("{kernel}: elementwise {is_elementwise}, {:?}", other.is_ok())),
    }
}
