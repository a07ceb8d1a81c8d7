//! Spaces one after the other.

use super::Space;
use crate::inputs::Column;

/// A named part of a space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it holds.
    pub name: String,
    /// Number of its tuples.
    pub size: u64,
}

/// The spaces of a chain, by the names of its parts.
pub type Parts = Vec<(&'static str, Box<dyn Space>)>;

/// Named spaces that follow each other.
pub struct Chain {
    /// Each with the number of tuples before it.
    links: Vec<(u64, &'static str, Box<dyn Space>)>,
    len: u64,
}

impl Chain {
    /// The spaces in this order.
    pub fn new(spaces: Parts) -> Self {
        let mut len = 0;
        let links = spaces.into_iter().map(|(name, space)| {
            let before = len;
            len += space.len();
            (before, name, space)
        });
        Self { links: links.collect(), len }
    }
}

impl Space for Chain {
    fn len(&self) -> u64 {
        self.len
    }

    fn fill(&self, first: u64, operands: &mut [Column]) {
        let len = operands.first().map_or(0, Column::len) as u64;
        for (before, _, space) in &self.links {
            let (start, end) = (first.max(*before), (first + len).min(before + space.len()));
            if start >= end {
                continue;
            }
            if (start, end) == (first, first + len) {
                space.fill(first - before, operands);
                return;
            }
            // Both lie within the columns.
            let (at, count) = ((start - first) as usize, (end - start) as usize);
            let mut part: Vec<Column> = operands.to_vec();
            part.iter_mut().for_each(|column| column.resize(count));
            space.fill(start - before, &mut part);
            for (column, part) in operands.iter_mut().zip(&part) {
                column.place(at, part, 0..count);
            }
        }
    }

    fn parts(&self) -> Vec<Part> {
        let part = |(_, name, space): &(u64, &'static str, Box<dyn Space>)| Part {
            name: (*name).to_owned(),
            size: space.len(),
        };
        self.links.iter().map(part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Grid, tuples};
    use super::*;
    use values::dtype::DType;

    #[test]
    fn a_chain_is_its_links_in_a_row_wherever_it_is_entered() {
        let grid = || Box::new(Grid::new(2, (0, 0)));
        let chain = Chain::new(vec![
            ("few", grid()),
            ("none", Box::new(Chain::new(Vec::new()))),
            ("more", Box::new(Grid::new(3, (0x10, 0x20)))),
        ]);
        let part = |name: &str, size| Part { name: name.to_owned(), size };
        assert_eq!(chain.parts(), [part("few", 16), part("none", 0), part("more", 64)]);
        let whole = tuples(&chain, DType::Uint8);
        assert_eq!(whole[..16], tuples(&*grid(), DType::Uint8));
        assert_eq!(whole[16..], tuples(&Grid::new(3, (0x10, 0x20)), DType::Uint8));
        for (first, len) in [(0, 3), (14, 4), (15, 65), (16, 1)] {
            let mut operands = vec![Column::new(DType::Uint8); 2];
            operands.iter_mut().for_each(|column| column.resize(len));
            chain.fill(first as u64, &mut operands);
            for at in 0..len {
                let tuple = [operands[0].element(at), operands[1].element(at)];
                assert_eq!(tuple, whole[first + at]);
            }
        }
        assert!(Grid::line(3).parts().is_empty());
    }
}
