//! Why folders can't be watched, as a sentence.

/// What has run out, in the words of the system's settings; never that a disk is full.
pub(super) fn limit(error: &notify::Error) -> String {
    const NO_SPACE: i32 = 28;
    const FILES_OF_PROCESS: i32 = 24;
    const FILES_OF_SYSTEM: i32 = 23;
    let number = match &error.kind {
        notify::ErrorKind::MaxFilesWatch => Some(NO_SPACE),
        notify::ErrorKind::Io(error) => error.raw_os_error(),
        notify::ErrorKind::Generic(_)
        | notify::ErrorKind::PathNotFound
        | notify::ErrorKind::WatchNotFound
        | notify::ErrorKind::InvalidConfig(_) => None,
    };
    match number {
        Some(NO_SPACE) => {
            "the limit of file watches (fs.inotify.max_user_watches) is reached".to_string()
        }
        Some(FILES_OF_PROCESS) => {
            "the limit of open files or of watchers (fs.inotify.max_user_instances) is reached"
                .to_string()
        }
        Some(FILES_OF_SYSTEM) => "the system's limit of open files is reached".to_string(),
        Some(_) | None => "files can't be watched here".to_string(),
    }
}
