//! The program shows who gets to the canary.

use std::process::Command;

#[test]
fn testers_get_to_the_canary_and_a_tenth_of_the_others() {
    let output = Command::new(env!("CARGO_BIN_EXE_routing")).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let lines: Vec<_> = said.lines().collect();
    assert_eq!(lines[0], "testers: 1000 of 1000 calls to the canary");
    let others: u32 = lines[1].split(' ').nth(1).unwrap().parse().unwrap();
    assert!((50..=150).contains(&others), "{said}"); // five standard deviations
    let rest = "others, by a table with 100 %: 1000 of 1000\ncanary: 1 server\nstable: 1 server";
    assert_eq!(lines[2..].join("\n"), rest);
}
