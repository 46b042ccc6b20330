//! Declared storage on every kind of storage that can run here, by the real binary.

mod backend;
mod contract; // what a tool finds, whatever keeps it
mod interop; // what other programs find, and what is found of theirs
mod killed; // storage that ends in the middle of it
mod large; // blobs that no memory holds
mod trouble; // storage that does not do what it is asked
mod updates; // two hosts and one blob
