// @cursor/bdk/prompt

/** A template tag for long texts: takes the common indent and the outer blank lines away. */
export declare function prompt(strings: TemplateStringsArray, ...values: unknown[]): string;
