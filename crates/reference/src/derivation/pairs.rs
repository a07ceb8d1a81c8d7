//! Pairs of the values of attributes, and of inputs that are given or left out: a covering array beside what the
//! stated cases have together.

use values::tensor::Tensor;

use crate::case_spec::CaseSpec;
use crate::signature::{AttributeType, AttributeValue, Presence};

use super::{Class, Derivation, MOST_BASES, Reached};

/// Values of an attribute that is no choice of texts, at most, besides its absence.
const MOST_VALUES: usize = 4;

/// What differs between cases: an attribute, or whether an optional input is given.
enum Dimension {
    Attribute { name: &'static str, values: Vec<Option<AttributeValue>> },
    Input { name: &'static str, at: usize },
}

impl Dimension {
    fn len(&self) -> usize {
        match self {
            Self::Attribute { values, .. } => values.len(),
            Self::Input { .. } => 2,
        }
    }

    /// The place of the value that a case has; `None` where it has none of these.
    fn of(&self, case: &CaseSpec) -> Option<usize> {
        match self {
            Self::Attribute { name, values } => {
                let own = attribute(case, name);
                values.iter().position(|value| value.as_ref() == own)
            }
            Self::Input { at, .. } => Some(usize::from(is_given(case, *at))),
        }
    }

    fn name(&self, value: usize) -> String {
        match self {
            Self::Attribute { name, values } => match &values[value] {
                None => format!("no {name}"),
                Some(given) => format!("{name} {given:?}"),
            },
            Self::Input { name, .. } => format!("{} {name}", ["no", "input"][value]),
        }
    }
}

fn attribute<'a>(case: &'a CaseSpec, name: &str) -> Option<&'a AttributeValue> {
    case.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value)
}

fn is_given(case: &CaseSpec, at: usize) -> bool {
    case.inputs.get(at).is_some_and(Option::is_some)
}

/// Whether a value is at an end of its type, where an implementation may give up for its own numbers' sake.
fn is_extreme(value: &AttributeValue) -> bool {
    let is_large = |number: &i64| number.unsigned_abs() > i32::MAX.unsigned_abs().into();
    match value {
        AttributeValue::Int(number) => is_large(number),
        AttributeValue::Ints(all) => all.iter().any(is_large),
        _ => false,
    }
}

/// A value of a dimension, by the places of both.
type Value = (usize, usize);

struct Pairs<'a> {
    dimensions: Vec<Dimension>,
    bases: Vec<&'a CaseSpec>,
    /// The values of each base.
    own: Vec<Vec<Option<usize>>>,
    /// The pairs that no case has yet, in order.
    open: Vec<[Value; 2]>,
}

pub(super) fn derive(derivation: &mut Derivation<'_>) {
    let mut bases = derivation.bases();
    // Cases of one type, and the largest first: in them most values have an effect.
    let first = |case: &&CaseSpec| case.path.split('/').nth(1).map(str::to_owned);
    let has_float32 = bases.iter().any(|case| first(case).as_deref() == Some("float32"));
    let folder =
        if has_float32 { Some("float32".to_owned()) } else { bases.iter().find_map(first) };
    bases.retain(|case| first(case) == folder);
    let size = |case: &CaseSpec| case.inputs.iter().flatten().map(Tensor::elements).sum::<usize>();
    bases.sort_by_key(|case| std::cmp::Reverse(size(case)));

    let dimensions = dimensions(derivation);
    let all = all_pairs(&dimensions);
    let values = |case: &CaseSpec| -> Vec<_> { dimensions.iter().map(|it| it.of(case)).collect() };
    let stated: Vec<_> = derivation.stated.iter().map(|case| values(case)).collect();
    let name = |[a, b]: &[Value; 2]| {
        format!("{}, {}", dimensions[a.0].name(a.1), dimensions[b.0].name(b.1))
    };
    let names: Vec<String> = all.iter().map(name).collect();
    let has = |of: &[Option<usize>], pair: &[Value; 2]| {
        pair.iter().all(|&(dimension, value)| of[dimension] == Some(value))
    };
    let is_open = |pair: &&[Value; 2]| !stated.iter().any(|of| has(of, pair));
    let open: Vec<_> = all.iter().filter(is_open).copied().collect();
    let own = bases.iter().map(|case| values(case)).collect();
    let mut pairs = Pairs { dimensions, bases, own, open: open.clone() };

    let mut reached = std::collections::BTreeMap::new();
    let mut count = 0;
    for pair in &open {
        if !pairs.open.contains(pair) {
            continue;
        }
        let Some(case) = pairs.reaching(derivation, pair) else {
            pairs.open.retain(|other| other != pair);
            continue;
        };
        count += 1;
        let of: Vec<_> = pairs.dimensions.iter().map(|it| it.of(&case)).collect();
        let path = derivation.add(Class::Pairs, &format!("pairs_{count}"), case);
        for &other in pairs.open.iter().filter(|other| has(&of, other)) {
            reached.insert(other, path.clone());
        }
        pairs.open.retain(|other| !has(&of, other));
    }
    for (pair, name) in all.into_iter().zip(names) {
        let outcome = match reached.remove(&pair) {
            Some(path) => Reached::Derived(path),
            None if open.contains(&pair) => Reached::Excluded,
            None => Reached::Stated,
        };
        derivation.target(Class::Pairs, name, outcome);
    }
}

/// The attributes with the values that stated cases have most often, of texts all, and the optional inputs.
fn dimensions(derivation: &Derivation<'_>) -> Vec<Dimension> {
    let version = derivation.version;
    let of_attribute = |attribute: &'static crate::signature::Attribute| {
        let mut counts: Vec<(Option<AttributeValue>, usize)> = Vec::new();
        for case in &derivation.stated {
            let own = self::attribute(case, attribute.name).cloned();
            if own.as_ref().is_some_and(is_extreme) {
                continue;
            }
            match counts.iter_mut().find(|(value, _)| *value == own) {
                Some((_, count)) => *count += 1,
                None => counts.push((own, 1)),
            }
        }
        counts.sort_by_key(|(value, count)| (value.is_some(), std::cmp::Reverse(*count)));
        let most = match attribute.value {
            AttributeType::Text(_) => usize::MAX,
            AttributeType::Tensor | AttributeType::Sparse => 0,
            _ => MOST_VALUES + usize::from(counts.first().is_some_and(|(it, _)| it.is_none())),
        };
        let values = counts.into_iter().map(|(value, _)| value).take(most).collect();
        Dimension::Attribute { name: attribute.name, values }
    };
    let attributes = version.attributes.iter().map(of_attribute);
    let inputs = version.inputs.iter().enumerate();
    let optional = inputs.filter(|(_, port)| port.presence == Presence::Optional);
    let inputs = optional.map(|(at, port)| Dimension::Input { name: port.name, at });
    attributes.chain(inputs).filter(|it| it.len() > 1).collect()
}

/// Every pair of values of two dimensions, of which one at least is an attribute.
fn all_pairs(dimensions: &[Dimension]) -> Vec<[Value; 2]> {
    let mut all = Vec::new();
    for (b, later) in dimensions.iter().enumerate() {
        for (a, earlier) in dimensions[..b].iter().enumerate() {
            if matches!((earlier, later), (Dimension::Input { .. }, Dimension::Input { .. })) {
                continue;
            }
            for value in 0..earlier.len() {
                all.extend((0..later.len()).map(|other| [(a, value), (b, other)]));
            }
        }
    }
    all
}

impl Pairs<'_> {
    /// A case with this pair, and with as many others as it takes one after the other.
    fn reaching(&self, derivation: &Derivation<'_>, pair: &[Value; 2]) -> Option<CaseSpec> {
        // Those that have one of the values already come first.
        let mut order: Vec<usize> = (0..self.bases.len()).collect();
        let lacks = |at: &usize| pair.iter().filter(|(d, v)| self.own[*at][*d] != Some(*v)).count();
        order.sort_by_key(lacks);
        let with_pair = |at: usize| {
            pair.iter().try_fold(self.bases[at].clone(), |case, value| self.with(case, *value))
        };
        let valid = order.into_iter().filter_map(with_pair);
        let valid = valid.filter(|case| derivation.types(case).is_some());
        for case in valid.take(MOST_BASES) {
            let fuller = self.filled(derivation, case.clone(), pair);
            if let Some(found) =
                [fuller, case].into_iter().find(|it| derivation.judged(it).is_some())
            {
                return Some(found);
            }
        }
        None
    }

    /// The case with other values wherever these make pairs that no case has yet, and the call stays valid.
    fn filled(
        &self,
        derivation: &Derivation<'_>,
        mut case: CaseSpec,
        pair: &[Value; 2],
    ) -> CaseSpec {
        for (dimension, it) in self.dimensions.iter().enumerate() {
            if pair.iter().any(|(fixed, _)| *fixed == dimension) {
                continue;
            }
            let gain = |case: &CaseSpec| {
                let of: Vec<_> = self.dimensions.iter().map(|it| it.of(case)).collect();
                let has = |pair: &&[Value; 2]| pair.iter().all(|(d, v)| of[*d] == Some(*v));
                self.open.iter().filter(has).count()
            };
            let own = gain(&case);
            let with = |value| self.with(case.clone(), (dimension, value));
            let mut others: Vec<_> =
                (0..it.len()).filter_map(with).map(|case| (gain(&case), case)).collect();
            others.sort_by_key(|(gain, _)| std::cmp::Reverse(*gain));
            let mut better = others.into_iter().take_while(|(gain, _)| *gain > own);
            if let Some((_, other)) = better.find(|(_, it)| derivation.types(it).is_some()) {
                case = other;
            }
        }
        case
    }

    /// The case with this value; `None` where no case has the input that is to be given.
    fn with(&self, mut case: CaseSpec, (dimension, value): Value) -> Option<CaseSpec> {
        match &self.dimensions[dimension] {
            Dimension::Attribute { name, values } => {
                case.attributes.retain(|(own, _)| own != name);
                case.attributes.extend(values[value].clone().map(|it| ((*name).to_owned(), it)));
            }
            Dimension::Input { at, .. } if value == 0 => super::absent::leave_out(&mut case, *at),
            Dimension::Input { at, .. } if is_given(&case, *at) => {}
            Dimension::Input { at, .. } => {
                let given = self.bases.iter().find_map(|base| base.inputs.get(*at)?.clone())?;
                case.inputs.resize(case.inputs.len().max(*at + 1), None);
                case.inputs[*at] = Some(given);
            }
        }
        Some(case)
    }
}
