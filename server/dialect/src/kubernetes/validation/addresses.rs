//! Addresses and networks of IP.

use super::look::TextForm;
use std::net::{IpAddr, Ipv4Addr};

pub(super) const ADDRESS: TextForm = (|text| address(text).is_some(), "an IP address");
pub(super) const NETWORK: TextForm = (|text| network(text).is_some(), "a network such as `10.0.0.0/8`");

/// An address that others can reach.
pub(super) const OUTER: TextForm =
    (is_outer, "an IP address that others can reach: not one of the machine itself or of its local network");
pub(super) const OUTER_V4: TextForm = (
    |text| address(text).is_some_and(|own| own.is_ipv4()) && is_outer(text),
    "an address of IP version 4 that others can reach",
);
pub(super) const OUTER_V6: TextForm = (
    |text| address(text).is_some_and(|own| own.is_ipv6()) && is_outer(text),
    "an address of IP version 6 that others can reach",
);

/// Reads an address. Zeros at the beginning of parts were once accepted.
pub(super) fn address(text: &str) -> Option<IpAddr> {
    let part = |part: &str| part.parse().ok().filter(|_: &u8| part.bytes().all(|byte| byte.is_ascii_digit()));
    let old = || {
        let parts: Option<Vec<u8>> = text.split('.').map(part).collect();
        let [a, b, c, d] = parts?[..] else { return None };
        Some(IpAddr::V4(Ipv4Addr::new(a, b, c, d)))
    };
    text.parse().ok().or_else(old)
}

fn is_outer(text: &str) -> bool {
    let Some(own) = address(text).map(|own| own.to_canonical()) else { return false };
    let is_local = match own {
        IpAddr::V4(own) => own.is_link_local() || own.octets()[..3] == [224, 0, 0],
        IpAddr::V6(own) => own.is_unicast_link_local() || own.segments()[0] & 0xff0f == 0xff02,
    };
    !own.is_loopback() && !own.is_unspecified() && !is_local
}

/// A network: its first bits, which are those of its addresses.
pub(super) struct Network {
    bits: u128,
    /// How many bits addresses of its version have.
    most: u32,
    length: u32,
}

pub(super) fn network(text: &str) -> Option<Network> {
    let (address, length) = text.trim().split_once('/')?;
    let (bits, most) = match self::address(address)? {
        IpAddr::V4(address) => (u128::from(address.to_bits()), 32),
        IpAddr::V6(address) => (address.to_bits(), 128),
    };
    let length = length.parse::<u32>().ok().filter(|length| *length <= most)?;
    Some(Network { bits, most, length })
}

impl Network {
    /// Whether another network is a part of it, and smaller.
    pub fn is_around(&self, other: &Network) -> bool {
        // The empty prefix is what is left of any address: a shift by all of its bits is refused.
        let first = |bits: u128| bits.checked_shr(self.most - self.length).unwrap_or_default();
        self.most == other.most && self.length < other.length && first(self.bits) == first(other.bits)
    }
}
