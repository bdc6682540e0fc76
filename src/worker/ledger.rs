//! The ledger for the screen: all requests in short, one with its texts, two compared. Each on a thread of
//! its own.

use std::thread;
use std::time::Duration;

use super::Worker;
use crate::app::ledger_view::{Compared, LedgerTold, LedgerWish};
use crate::app::message::Message;
use crate::base::fault::Faults;
use crate::config::prices::Prices;
use crate::context::ledger::{Keep, Ledger};
use crate::engine::begin::LEDGER;

/// How long a reading waits for the watches at most.
const WATCHES_STAND: Duration = Duration::from_secs(2);

impl Worker {
    pub(super) fn ledger(&mut self, wish: LedgerWish) {
        let folder = self.writer.own_file(LEDGER);
        let prices = self.agency.around.prices.clone();
        let out = self.out.clone();
        let standing = match &wish {
            LedgerWish::List { .. } => self.standing.take(),
            LedgerWish::Open { .. } | LedgerWish::Compare { .. } => None,
        };
        thread::spawn(move || {
            // What changes after they stand is told; nobody ever sends anything here.
            let _ = standing.map(|standing| standing.recv_timeout(WATCHES_STAND));
            let ledger = Ledger::new(folder, Keep::default(), Faults::default());
            let told = answer(&ledger, &prices, wish);
            let _ = out.send(Message::Ledger(Box::new(told)));
        });
    }
}

fn answer(ledger: &Ledger, prices: &Prices, wish: LedgerWish) -> LedgerTold {
    match wish {
        LedgerWish::List { id } => LedgerTold::Listed {
            id,
            listed: ledger.list(prices),
        },
        LedgerWish::Open { id, request } => {
            let opened = ledger.open(&request).map_err(|error| error.to_string());
            LedgerTold::Opened {
                id,
                opened: opened.map(|opened| Box::new((opened.entry(prices), opened))),
            }
        }
        LedgerWish::Compare { id, before, after } => {
            let compared = ledger.compare(&before, &after);
            let compared = compared.map(|(before, after, difference)| {
                Box::new(Compared {
                    before: before.entry(prices),
                    after: after.entry(prices),
                    difference,
                })
            });
            LedgerTold::Compared {
                id,
                compared: compared.map_err(|error| error.to_string()),
            }
        }
    }
}
