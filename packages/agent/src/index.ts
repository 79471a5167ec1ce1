/** One turn of work: loop, tools, permissions, sessions, models. */
export {};
