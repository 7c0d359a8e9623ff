//! Rules about limits: those that refuse, and what is nearly used up.

use super::{
    figures::Figures,
    holds::Found,
    words::{link, method_link, per_second, percent},
};
use polywire_console::Mark;

/// "limit refuses: any for 10 s; 1 % of arrivals".
pub(super) fn refuses(figures: &Figures) -> Vec<Found> {
    let mut found: Vec<_> = figures
        .methods
        .iter()
        .filter(|method| method.refused > 0.0)
        .map(|method| {
            let share = method.refused / method.arrivals();
            let mark = if share >= 0.01 { Mark::Bad } else { Mark::Warn };
            let (refused, share) = (per_second(method.refused), percent(share));
            let text = format!("A limit refuses {refused} of {}, {share} of what comes", method.name);
            let links = vec![link("limits", "limits"), method_link(&method.name)];
            Found { rule: "limit_refuses", subject: method.name.clone(), mark, text, links }
        })
        .collect();
    for (subject, rate, text) in [
        (
            "connections",
            figures.turned_away,
            "connections are turned away, since there are as many as there may be",
        ),
        ("memory", figures.out_of_memory, "calls are refused or connections closed, since memory is used up"),
    ] {
        if rate > 0.0 {
            let (subject, text) = (subject.to_owned(), format!("{} {text}", per_second(rate)));
            let links = vec![link("limits", "limits")];
            found.push(Found { rule: "limit_refuses", subject, mark: Mark::Bad, text, links });
        }
    }
    found
}

/// "memory, descriptors, connections, against the budget: 80 %; 95 %".
pub(super) fn budgets(figures: &Figures) -> Vec<Found> {
    let found = figures.budgets.iter().filter_map(|budget| {
        let share = budget.used / budget.most.max(1.0);
        let mark = match () {
            () if share >= 0.95 => Mark::Bad,
            () if share >= 0.8 => Mark::Warn,
            () => return None,
        };
        let text = format!(
            "{} of the {} are in use: {} of {}",
            percent(share),
            budget.what,
            budget.used,
            budget.most
        );
        let links = vec![link(budget.page, budget.page)];
        Some(Found { rule: "budget", subject: budget.what.clone(), mark, text, links })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::{
        super::figures::{Budget, MethodFigures},
        *,
    };

    #[test]
    fn what_is_refused_is_found_and_bad_from_a_hundredth() {
        let of = |succeeded, refused| {
            let method = MethodFigures { name: "a/b".into(), succeeded, refused, ..Default::default() };
            refuses(&Figures { methods: vec![method], ..Figures::default() }).pop().map(|found| found.mark)
        };
        assert_eq!([of(10.0, 0.0), of(999.0, 1.0), of(1.0, 1.0)], [None, Some(Mark::Warn), Some(Mark::Bad)]);
        let away = Figures { turned_away: 0.1, ..Figures::default() };
        assert_eq!(refuses(&away)[0].subject, "connections");
    }

    #[test]
    fn a_budget_is_nearly_used_up_at_80_and_95_percent() {
        let of = |used| {
            let budget = Budget { what: "connections".into(), used, most: 1000.0, page: "connections" };
            budgets(&Figures { budgets: vec![budget], ..Figures::default() }).pop().map(|found| found.mark)
        };
        assert_eq!(
            [of(799.0), of(800.0), of(949.0), of(950.0)],
            [None, Some(Mark::Warn), Some(Mark::Warn), Some(Mark::Bad)]
        );
    }
}
