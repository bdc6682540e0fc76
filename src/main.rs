//! The binary: parses, calls one function, maps what came of it to an exit code.

use std::process::ExitCode;

use loci::cli::{self, Ending};
use loci::tui;

fn main() -> ExitCode {
    let ending = cli::parse(std::env::args_os()).and_then(|arguments| {
        let json = arguments.global.json;
        cli::run(arguments).map_err(|stop| stop.with_json(json))
    });
    match ending {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::Found | Ending::NothingFound) => ExitCode::from(1),
        Ok(Ending::ConfigFaults) => ExitCode::from(3),
        Ok(Ending::Interrupted) => ExitCode::from(130),
        Ok(Ending::Signal(signal)) => {
            // Everything is tidied up: die as whoever sent the signal expects.
            tui::die_by(signal);
            ExitCode::FAILURE
        }
        Err(stop) => ExitCode::from(stop.report()),
    }
}
