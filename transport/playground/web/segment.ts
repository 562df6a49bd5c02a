/** A name as one part of a path. Dots alone, which browsers take for a step up however they
 *  are escaped, are escaped twice: nothing of a host is called so. */
export const segment = (name: string): string => (/^\.\.?$/.test(name) ? name.replaceAll(".", "%252E") : encodeURIComponent(name));
