//! Elements of fewer than 8 bits, packed from the low end of each byte without a gap: those of 6 bits may begin in one
//! byte and end in the next.

/// The element at a place.
pub(super) fn get(bytes: &[u8], bits: usize, at: usize) -> u8 {
    let (byte, shift) = (at * bits / 8, at * bits % 8);
    let next = bytes.get(byte + 1).copied().unwrap_or_default();
    let pair = u16::from_le_bytes([bytes[byte], next]);
    (pair >> shift) as u8 & ((1 << bits) - 1)
}

/// Writes an element at a place whose bits are 0.
pub(super) fn put(bytes: &mut [u8], bits: usize, at: usize, element: u8) {
    let (byte, shift) = (at * bits / 8, at * bits % 8);
    let [low, high] = (u16::from(element) << shift).to_le_bytes();
    bytes[byte] |= low;
    if high != 0 {
        bytes[byte + 1] |= high;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_every_width_come_back_from_their_places() {
        for bits in [2, 4, 6] {
            let element = |at: usize| (at * 29 + at / 3) as u8 & ((1 << bits) - 1);
            for count in 0_usize..20 {
                let mut bytes = vec![0; (count * bits).div_ceil(8)];
                (0..count).rev().for_each(|at| put(&mut bytes, bits, at, element(at)));
                assert!(
                    (0..count).all(|at| get(&bytes, bits, at) == element(at)),
                    "{bits} {count}"
                );
            }
        }
        let mut bytes = [0; 3];
        [0x21, 0x1e, 0x07, 0x3d].into_iter().enumerate().for_each(|(at, element)| {
            put(&mut bytes, 6, at, element);
        });
        assert_eq!(bytes, [0xa1, 0x77, 0xf4]);
    }
}
