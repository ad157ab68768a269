/** How large and how tangled a schema may be. */
export interface SchemaLimits {
  /** Of its JSON text, in UTF-8. */
  bytes: number
  /** Schemas within schemas. */
  depth: number
  subschemas: number
  /** Subschemas when every `$ref` is written out; a recursion counts once. */
  expansion: number
}

export const defaultSchemaLimits: SchemaLimits = {
  bytes: 64 * 1024,
  depth: 32,
  subschemas: 2_000,
  expansion: 10_000,
}

/**
 * Above these a schema is compiled and run in a worker. Measured: 100 subschemas compile in about
 * 15 ms, a check costs about 20 ns.
 */
export const plainLimits = {
  subschemas: 100,
  /** Checks that one value within the whole may have to go through. */
  weight: 500,
  patterns: 40,
  /** Of all patterns, as `weighPattern` has it. */
  patternWeight: 2_000,
  /** Checks of one validation, by estimate; each may make an error, of about 100 ns. */
  checks: 300_000,
  /** Characters that patterns may read in one validation: they cost about 1 µs each at worst. */
  patternCharacters: 4_096,
}
