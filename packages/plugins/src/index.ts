/** Plugin packages on disk: manifest, install, trust, doctor. */
export {};
