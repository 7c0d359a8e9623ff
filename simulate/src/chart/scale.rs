//! From numbers to places on a chart, and the round numbers between.

/// How an axis grows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scale {
    /// From zero, or from the least value if that is far from zero.
    Linear,
    /// As `Linear`, but always from zero.
    FromZero,
    Log,
}

/// A scale over the numbers that are there.
#[derive(Debug)]
pub struct Span {
    log: bool,
    least: f64,
    most: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// Places from `from` to `to` for these numbers.
    pub fn over(self, numbers: impl Iterator<Item = f64>, from: f64, to: f64) -> Span {
        let log = self == Scale::Log;
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for number in numbers.filter(|number| number.is_finite() && (!log || *number > 0.0)) {
            (least, most) = (least.min(number), most.max(number));
        }
        if least > most {
            (least, most) = (1.0, 2.0);
        }
        if log {
            least = *steps(least, most).first().unwrap_or(&least);
            most = most.max(2.0 * least);
        } else {
            if self == Scale::FromZero {
                least = least.min(0.0);
            }
            if most <= least {
                most = least + 1.0;
            }
        }
        Span { log, least, most, from, to }
    }
}

impl Span {
    pub fn at(&self, number: f64) -> f64 {
        let part = if self.log {
            (number.max(self.least) / self.least).ln() / (self.most / self.least).ln()
        } else {
            (number - self.least) / (self.most - self.least)
        };
        self.from + part * (self.to - self.from)
    }

    /// Numbers for the axis, as they are written: those that are asked for, else round ones.
    pub fn ticks(&self, wanted: &[f64]) -> Vec<(f64, String)> {
        let ticks = match wanted {
            [] if self.log => {
                let steps = steps(self.least, self.most);
                // 1, 2, 5, 10, …, or the powers of ten alone if there is no room.
                let tens = |number: &f64| number.log10().fract().abs() < 1e-9;
                if steps.len() > 13 { steps.into_iter().filter(tens).collect() } else { steps }
            }
            [] => {
                let step = round((self.most - self.least) / 6.0);
                let first = (self.least / step).ceil() as i64;
                (first..first + 20).map(|i| i as f64 * step).collect()
            }
            wanted => wanted.to_vec(),
        };
        let inside =
            |number: &f64| *number >= self.least * (1.0 - 1e-9) && *number <= self.most * (1.0 + 1e-9);
        ticks.into_iter().filter(inside).map(|number| (number, label(number))).collect()
    }
}

/// 1, 2 and 5 times powers of ten, from the one below `least` to the one below `most`.
fn steps(least: f64, most: f64) -> Vec<f64> {
    let first = least.log10().floor() as i32;
    let all: Vec<f64> =
        (first..first + 14).flat_map(|power| [1.0, 2.0, 5.0].map(|n| n * 10_f64.powi(power))).collect();
    let begin = all.iter().rposition(|step| *step <= least * (1.0 + 1e-9)).unwrap_or(0);
    all[begin..].iter().copied().take_while(|step| *step <= most * (1.0 + 1e-9)).collect()
}

/// The next of 1, 2 and 5 times a power of ten.
fn round(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .map(|n| n * power)
        .into_iter()
        .find(|round| *round >= step * (1.0 - 1e-9))
        .unwrap_or(power)
}

fn label(number: f64) -> String {
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, numbers: [f64; 2]) -> Vec<String> {
        scale.over(numbers.into_iter(), 0.0, 100.0).ticks(&[]).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn axes_have_round_numbers() {
        assert_eq!(labels(Scale::FromZero, [3.0, 27.0]), ["0", "5", "10", "15", "20", "25"]);
        assert_eq!(labels(Scale::Linear, [0.75, 1.75]), ["0.8", "1", "1.2", "1.4", "1.6"]);
        assert_eq!(labels(Scale::Log, [30.0, 1000.0]), ["20", "50", "100", "200", "500", "1000"]);
        assert_eq!(labels(Scale::Log, [1.0, 1e6]), ["1", "10", "100", "1000", "10000", "100000", "1000000"]);
    }

    #[test]
    fn the_least_and_the_most_are_at_the_ends() {
        let span = Scale::Log.over([10.0, 1000.0].into_iter(), 0.0, 100.0);
        assert_eq!([10.0, 100.0, 1000.0, 0.0].map(|number| span.at(number).round()), [0.0, 50.0, 100.0, 0.0]);
        let span = Scale::FromZero.over([0.0; 0].into_iter(), 50.0, 0.0);
        assert!(span.at(1.0).is_finite());
    }
}
