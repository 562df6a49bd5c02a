/** Metres in one of each. */
export const factors = { metre: 1, fathom: 1.8288, cable: 185.2, mile: 1852 } as const;

export type Unit = keyof typeof factors;
