/** A table that has what it is given and nothing of the language's own: a word of a log, such
 *  as "constructor", is found in it only where somebody put it there. */
export const table = <T>(entries: Record<string, T>): Record<string, T> => Object.assign(Object.create(null), entries);
