// JSON, and schemas that describe it.

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** A JSON Schema, 2020-12, as a plain object. */
export type JsonSchemaObject = { [key: string]: unknown };

/** A schema of a library that follows Standard Schema, such as Zod 3.24 and newer. */
export interface StandardSchema<Input = any, Output = any> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** What a schema may be: one of a library, or plain JSON Schema. */
export type Schema = StandardSchema | JsonSchemaObject;

type Flat<T> = { [K in keyof T]: T[K] };

type Properties<P, Required> = Flat<
  { -readonly [K in keyof P as K extends Required ? K : never]: FromJsonSchema<P[K]> } & {
    -readonly [K in keyof P as K extends Required ? never : K]?: FromJsonSchema<P[K]>;
  }
>;

type Named<S> = S extends { required: readonly (infer R)[] } ? R : never;

/** The type that a JSON Schema describes, as far as its literal text says so. */
export type FromJsonSchema<S> = S extends { const: infer C }
  ? C
  : S extends { enum: readonly (infer E)[] }
    ? E
    : S extends { anyOf: readonly (infer U)[] } | { oneOf: readonly (infer U)[] }
      ? FromJsonSchema<U>
      : S extends { type: readonly (infer T)[] }
        ? T extends string
          ? FromJsonSchema<Flat<Omit<S, "type"> & { type: T }>>
          : unknown
        : S extends { type: "string" }
          ? string
          : S extends { type: "number" | "integer" }
            ? number
            : S extends { type: "boolean" }
              ? boolean
              : S extends { type: "null" }
                ? null
                : S extends { type: "array"; items: infer I }
                  ? FromJsonSchema<I>[]
                  : S extends { type: "array" }
                    ? unknown[]
                    : S extends { type: "object"; properties: infer P }
                      ? Properties<P, Named<S>>
                      : S extends { type: "object" }
                        ? Record<string, unknown>
                        : unknown;

type OrRecord<T> = unknown extends T ? Record<string, unknown> : T;

/** What a value is after the schema has parsed it. */
export type Parsed<S> = S extends StandardSchema<any, infer Output> ? Output : FromJsonSchema<S>;

/** What a value may be before that: fields with a default can be left out. */
export type Unparsed<S> = S extends StandardSchema<infer Input, any> ? Input : FromJsonSchema<S>;

/** The input of a tool: an object, whose fields are unknown where the schema does not say. */
export type ToolInput<S> = S extends StandardSchema<any, infer Output> ? Output : OrRecord<FromJsonSchema<S>>;
