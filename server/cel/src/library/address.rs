//! IP addresses and ranges of them.

use super::{Call, Row};
use crate::cost::{Failure, first_text, first_text_twice, one, second_text};
use crate::value::Value;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

pub(super) const ROWS: &[Row] = &[
    Row { signatures: &["ip(string) -> ip"], price: first_text, run: read },
    Row { signatures: &["isIP(string) -> bool"], price: first_text, run: is_ip },
    Row { signatures: &["ip.isCanonical(string) -> bool"], price: first_text_twice, run: is_canonical },
    Row { signatures: &["(ip).family() -> int"], price: one, run: family },
    Row {
        signatures: &["(ip).isUnspecified() -> bool"],
        price: one,
        run: |call| holds(call, |ip| ip.is_unspecified()),
    },
    Row { signatures: &["(ip).isLoopback() -> bool"], price: one, run: |call| holds(call, |ip| ip.is_loopback()) },
    Row {
        signatures: &["(ip).isLinkLocalMulticast() -> bool"],
        price: one,
        run: |call| holds(call, is_local_multicast),
    },
    Row { signatures: &["(ip).isLinkLocalUnicast() -> bool"], price: one, run: |call| holds(call, is_local_unicast) },
    Row { signatures: &["(ip).isGlobalUnicast() -> bool"], price: one, run: |call| holds(call, is_global_unicast) },
    Row { signatures: &["cidr(string) -> cidr"], price: first_text, run: read_cidr },
    Row { signatures: &["isCIDR(string) -> bool"], price: first_text, run: is_cidr },
    Row {
        signatures: &["(cidr).containsIP(ip) -> bool", "(cidr).containsIP(string) -> bool"],
        price: second_text,
        run: contains_ip,
    },
    Row {
        signatures: &["(cidr).containsCIDR(cidr) -> bool", "(cidr).containsCIDR(string) -> bool"],
        price: second_text,
        run: contains_cidr,
    },
    Row { signatures: &["(cidr).ip() -> ip"], price: one, run: ip_of },
    Row { signatures: &["(cidr).masked() -> cidr"], price: one, run: masked },
    Row { signatures: &["(cidr).prefixLength() -> int"], price: one, run: prefix_length },
];

/// An address and how many of its bits a range has in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cidr {
    /// The address.
    pub address: IpAddr,
    /// The number of bits.
    pub bits: u8,
}

impl fmt::Display for Cidr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.bits)
    }
}

impl Cidr {
    fn parse(text: &str) -> Result<Cidr, Failure> {
        let refused = || format!("`{}` is not a CIDR", text.chars().take(100).collect::<String>());
        let (address, bits) = text.rsplit_once('/').ok_or_else(refused)?;
        let address = parse(address)?;
        let is_number = bits.bytes().all(|byte| byte.is_ascii_digit()) && (bits == "0" || !bits.starts_with('0'));
        let bits: u8 = bits.parse().ok().filter(|_| is_number).ok_or_else(refused)?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        if bits > most { Err(refused().into()) } else { Ok(Cidr { address, bits }) }
    }

    fn masked(self) -> Cidr {
        let bits = u32::from(self.bits);
        let address = match self.address {
            IpAddr::V4(ip) => Ipv4Addr::from_bits(ip.to_bits() & u32::MAX.checked_shl(32 - bits).unwrap_or(0)).into(),
            IpAddr::V6(ip) => Ipv6Addr::from_bits(ip.to_bits() & u128::MAX.checked_shl(128 - bits).unwrap_or(0)).into(),
        };
        Cidr { address, ..self }
    }

    fn contains(self, address: IpAddr) -> bool {
        address.is_ipv4() == self.address.is_ipv4() && Cidr { address, ..self }.masked() == self.masked()
    }
}

/// Reads an address. One of the older kind in the clothes of the newer is refused, since it would be two in one.
fn parse(text: &str) -> Result<IpAddr, Failure> {
    let shown = || text.chars().take(100).collect::<String>();
    let address: IpAddr = text.parse().map_err(|_| format!("`{}` is not an IP address", shown()))?;
    match address {
        IpAddr::V6(ip) if ip.to_ipv4_mapped().is_some() => {
            Err(Failure::Because(format!("`{}` is an IPv4 address mapped to IPv6", shown())))
        }
        other => Ok(other),
    }
}

fn read(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Text(text)] = call.arguments else { return Err(call.refused()) };
    parse(text).map(Value::Ip)
}

fn is_ip(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Text(text)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::Bool(parse(text).is_ok()))
}

fn is_canonical(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Text(text)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::Bool(parse(text)?.to_string() == **text))
}

fn family(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Ip(ip)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::Int(if ip.is_ipv4() { 4 } else { 6 }))
}

fn holds(call: &Call<'_>, holds: fn(&IpAddr) -> bool) -> Result<Value, Failure> {
    let [Value::Ip(ip)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::Bool(holds(ip)))
}

fn is_local_multicast(ip: &IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => matches!(ip.octets(), [224, 0, 0, _]),
        IpAddr::V6(ip) => ip.segments()[0] & 0xff0f == 0xff02,
    }
}

fn is_local_unicast(ip: &IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => ip.is_link_local(),
        IpAddr::V6(ip) => ip.segments()[0] & 0xffc0 == 0xfe80,
    }
}

fn is_global_unicast(ip: &IpAddr) -> bool {
    let is_broadcast = matches!(ip, IpAddr::V4(ip) if ip.is_broadcast());
    !is_broadcast && !ip.is_unspecified() && !ip.is_loopback() && !ip.is_multicast() && !is_local_unicast(ip)
}

fn read_cidr(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Text(text)] = call.arguments else { return Err(call.refused()) };
    Cidr::parse(text).map(Value::Cidr)
}

fn is_cidr(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Text(text)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::Bool(Cidr::parse(text).is_ok()))
}

fn contains_ip(call: &mut Call<'_>) -> Result<Value, Failure> {
    let (cidr, address) = match call.arguments {
        [Value::Cidr(cidr), Value::Ip(address)] => (cidr, *address),
        [Value::Cidr(cidr), Value::Text(text)] => (cidr, parse(text)?),
        _ => return Err(call.refused()),
    };
    Ok(Value::Bool(cidr.contains(address)))
}

fn contains_cidr(call: &mut Call<'_>) -> Result<Value, Failure> {
    let (cidr, other) = match call.arguments {
        [Value::Cidr(cidr), Value::Cidr(other)] => (cidr, *other),
        [Value::Cidr(cidr), Value::Text(text)] => (cidr, Cidr::parse(text)?),
        _ => return Err(call.refused()),
    };
    Ok(Value::Bool(cidr.bits <= other.bits && cidr.contains(other.address)))
}

fn ip_of(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Cidr(cidr)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::Ip(cidr.address))
}

fn masked(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Cidr(cidr)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::Cidr(cidr.masked()))
}

fn prefix_length(call: &mut Call<'_>) -> Result<Value, Failure> {
    let [Value::Cidr(cidr)] = call.arguments else { return Err(call.refused()) };
    Ok(Value::Int(i64::from(cidr.bits)))
}
