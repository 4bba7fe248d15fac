//! `@ytt:ip`

use std::net::IpAddr;

use ipnet::IpNet;
use lofting_interpreter::Value;

use super::Args;
use crate::failure::{Result, fail};
use crate::object::{ObjectKind, Ours, object};

/// How many bits come before an IPv4 address that is wrapped into IPv6.
const WRAPPER: u8 = 96;

pub(super) fn invoke(args: Args) -> Result<Value> {
    args.exactly(1)?;
    match args.name {
        "ip.parse_addr" => {
            let text = args.text(0)?;
            match text.parse::<IpAddr>() {
                // An IPv4 address that is mapped into IPv6 is an IPv4 address.
                Ok(address) => Ok(object(ObjectKind::Address(address.to_canonical()), Vec::new())),
                Err(_) => fail(format!("ip.parse_addr: invalid IP address: {text}")),
            }
        }
        "ip.parse_cidr" => {
            let text = args.text(0)?;
            let Some(read) = network(text) else {
                return fail(format!("ip.parse_cidr: invalid CIDR address: {text}"));
            };
            let address = object(ObjectKind::Address(read.addr().to_canonical()), Vec::new());
            let (start, length) = canonical(read);
            let net = object(ObjectKind::Network(start, length), Vec::new());
            Ok(Value::tuple(vec![address, net]))
        }
        _ => {
            let Some(ours) = Ours::of(args.first()) else { return fail("ip: no address") };
            match (args.name, ours.kind) {
                ("ip.addr.is_ipv4", ObjectKind::Address(address)) => Ok(Value::Bool(address.is_ipv4())),
                ("ip.addr.is_ipv6", ObjectKind::Address(address)) => Ok(Value::Bool(address.is_ipv6())),
                ("ip.net.addr", ObjectKind::Network(address, _)) => {
                    Ok(object(ObjectKind::Address(*address), Vec::new()))
                }
                (_, kind) => Ok(kind.address_text().into()),
            }
        }
    }
}

/// An address with the length of a prefix, which may have leading zeros.
fn network(text: &str) -> Option<IpNet> {
    let (address, length) = text.split_once('/')?;
    let is_number = !length.is_empty() && length.bytes().all(|byte| byte.is_ascii_digit());
    let length = length.parse().ok().filter(|_| is_number)?;
    IpNet::new(address.parse().ok()?, length).ok()
}

/// The first address of a network and the length of its prefix: both of IPv4 where IPv6 only wraps that.
fn canonical(network: IpNet) -> (IpAddr, u8) {
    let (start, length) = (network.network(), network.prefix_len());
    match start.to_canonical() {
        IpAddr::V4(inner) if start.is_ipv6() => (IpAddr::V4(inner), length.saturating_sub(WRAPPER)),
        _ => (start, length),
    }
}
