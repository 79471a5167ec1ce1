/** Write an extension. */
export {};
