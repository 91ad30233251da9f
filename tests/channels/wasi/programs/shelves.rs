// Random uses of Rust's library for files: every answer goes to standard output, to be compared with a native run.
// Arguments: a seed, how many operations.
use std::fs::{self, File, FileTimes, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::time::{Duration, UNIX_EPOCH};

struct Chance(u32);

impl Chance {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1664525).wrapping_add(1013904223);
        (self.0 >> 8) % n
    }
}

const NAMES: [&str; 9] = ["a", "b", "shelf", "shelf/a", "shelf/b", "deep/er", "deep", "a/x", "é"];

// Rust has no kind of its own for this number of WASI.
const NOT_EMPTY: i32 = if cfg!(target_os = "wasi") { 55 } else { 39 };

fn told<T: std::fmt::Debug>(what: &str, name: &str, result: std::io::Result<T>) {
    match result {
        Ok(value) => println!("{what} {name}: {value:?}"),
        Err(error) if error.raw_os_error() == Some(NOT_EMPTY) => println!("{what} {name}: DirectoryNotEmpty"),
        Err(error) => println!("{what} {name}: {:?}", error.kind()),
    }
}

fn listed(name: &str) -> std::io::Result<Vec<(String, bool)>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(name)? {
        let entry = entry?;
        all.push((entry.file_name().to_string_lossy().into_owned(), entry.file_type()?.is_dir()));
    }
    all.sort();
    Ok(all)
}

fn middle(name: &str, at: u64, count: usize) -> std::io::Result<Vec<u8>> {
    let mut file = File::open(name)?;
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = vec![0; count];
    let got = file.read(&mut bytes)?;
    bytes.truncate(got);
    Ok(bytes)
}

fn aged(name: &str, seconds: u64) -> std::io::Result<(bool, u64)> {
    let file = OpenOptions::new().read(true).write(true).open(name)?;
    file.set_times(FileTimes::new().set_modified(UNIX_EPOCH + Duration::from_secs(seconds)))?;
    let facts = fs::metadata(name)?;
    let age = facts.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok((facts.is_file(), age.as_secs()))
}

fn put(name: &str, options: &mut OpenOptions, bytes: &[u8]) -> std::io::Result<u64> {
    let mut file = options.open(name)?;
    file.write_all(bytes)?;
    file.stream_position()
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut chance = Chance(words[0].parse().unwrap());
    for step in 0..words[1].parse::<u32>().unwrap() {
        let name = NAMES[chance.below(9) as usize];
        let other = NAMES[chance.below(9) as usize];
        let bytes: Vec<u8> = (0..chance.below(3000)).map(|i| (i * 7 + step) as u8).collect();
        match chance.below(16) {
            0 => told("write", name, fs::write(name, &bytes)),
            1 => told("append", name, put(name, OpenOptions::new().append(true).create(true), &bytes)),
            2 => told("new", name, put(name, OpenOptions::new().write(true).create_new(true), &bytes)),
            3 => told("over", name, put(name, OpenOptions::new().write(true), &bytes)),
            4 => told("read", name, fs::read(name).map(|all| all.iter().map(|&b| b as u64).sum::<u64>())),
            5 => told("middle", name, middle(name, chance.below(4000) as u64, 20)),
            6 => told("cut", name, OpenOptions::new().write(true).open(name).and_then(|f| f.set_len(chance.below(500) as u64))),
            7 => told("rename", name, fs::rename(name, other)),
            8 => told("copy", name, fs::copy(name, other)),
            9 => told("link", name, fs::hard_link(name, other)),
            10 => told("remove", name, fs::remove_file(name)),
            11 => told("mkdir", name, fs::create_dir(name)),
            12 => told("rmdir", name, fs::remove_dir(name)),
            13 => told("list", name, listed(if name == "a" { "." } else { name })),
            14 => told("age", name, aged(name, 1_000_000_000 + chance.below(1_000_000) as u64)),
            _ => told("facts", name, fs::metadata(name).map(|f| (f.is_dir(), if f.is_file() { f.len() } else { 0 }))),
        }
    }
}
