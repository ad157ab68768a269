/** What a keyword's value must look like, before it is given to the compiler. */
export type KeywordShape =
  | 'any'
  | 'string'
  | 'number'
  | 'count'
  | 'boolean'
  | 'names'
  | 'choices'
  | 'type'
  | 'schema'
  | 'schemas'
  | 'schemaMap'
  | 'namesMap'
  | 'schemaOrNamesMap'
  | 'items'

/**
 * Which value the schemas under a keyword speak of: the same one (`inPlace`); a part of it that no
 * other schema of the same kind speaks of (`part`), or that others may speak of too (`overlap`);
 * none by itself (`aside`).
 */
export type Reach = 'inPlace' | 'part' | 'overlap' | 'aside'

interface Keyword {
  shape: KeywordShape
  reach?: Reach
}

/** Every keyword that the compiler reads, of all dialects. Others are ignored. */
export const keywords: ReadonlyMap<string, Keyword> = new Map(
  Object.entries({
    $ref: { shape: 'string' },
    $dynamicRef: { shape: 'string' },
    $recursiveRef: { shape: 'string' },
    $id: { shape: 'string' },
    $anchor: { shape: 'string' },
    $dynamicAnchor: { shape: 'string' },
    $recursiveAnchor: { shape: 'boolean' },
    type: { shape: 'type' },
    enum: { shape: 'choices' },
    const: { shape: 'any' },
    nullable: { shape: 'boolean' },
    multipleOf: { shape: 'number' },
    minimum: { shape: 'number' },
    maximum: { shape: 'number' },
    exclusiveMinimum: { shape: 'number' },
    exclusiveMaximum: { shape: 'number' },
    minLength: { shape: 'count' },
    maxLength: { shape: 'count' },
    pattern: { shape: 'string' },
    format: { shape: 'string' },
    minItems: { shape: 'count' },
    maxItems: { shape: 'count' },
    uniqueItems: { shape: 'boolean' },
    minContains: { shape: 'count' },
    maxContains: { shape: 'count' },
    minProperties: { shape: 'count' },
    maxProperties: { shape: 'count' },
    required: { shape: 'names' },
    dependentRequired: { shape: 'namesMap' },
    allOf: { shape: 'schemas', reach: 'inPlace' },
    anyOf: { shape: 'schemas', reach: 'inPlace' },
    oneOf: { shape: 'schemas', reach: 'inPlace' },
    not: { shape: 'schema', reach: 'inPlace' },
    if: { shape: 'schema', reach: 'inPlace' },
    // biome-ignore lint/suspicious/noThenProperty: the keyword is called so
    then: { shape: 'schema', reach: 'inPlace' },
    else: { shape: 'schema', reach: 'inPlace' },
    dependentSchemas: { shape: 'schemaMap', reach: 'inPlace' },
    dependencies: { shape: 'schemaOrNamesMap', reach: 'inPlace' },
    properties: { shape: 'schemaMap', reach: 'part' },
    additionalProperties: { shape: 'schema', reach: 'part' },
    unevaluatedProperties: { shape: 'schema', reach: 'part' },
    prefixItems: { shape: 'schemas', reach: 'part' },
    items: { shape: 'items', reach: 'part' },
    additionalItems: { shape: 'schema', reach: 'part' },
    unevaluatedItems: { shape: 'schema', reach: 'part' },
    patternProperties: { shape: 'schemaMap', reach: 'overlap' },
    propertyNames: { shape: 'schema', reach: 'overlap' },
    contains: { shape: 'schema', reach: 'overlap' },
    $defs: { shape: 'schemaMap', reach: 'aside' },
    definitions: { shape: 'schemaMap', reach: 'aside' },
  } satisfies Record<string, Keyword>),
)

const typeNames = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null']

/** What is wrong with the value of a keyword, in words; nothing where it fits. */
export function misshapen(shape: KeywordShape, value: unknown): string | undefined {
  const [fits, expected] = shapes[shape]
  return fits(value) ? undefined : expected
}

type Fits = (value: unknown) => boolean

const isString: Fits = (value) => typeof value === 'string'
const isNumber: Fits = (value) => typeof value === 'number' && Number.isFinite(value)
const isCount: Fits = (value) => Number.isInteger(value) && (value as number) >= 0
const isBoolean: Fits = (value) => typeof value === 'boolean'
const isNames: Fits = (value) => Array.isArray(value) && value.every(isString)
const isType: Fits = (value) => isString(value) && typeNames.includes(value as string)
const isSchema: Fits = (value) => isBoolean(value) || isObject(value)
const isSchemas: Fits = (value) => Array.isArray(value) && value.every(isSchema)

const shapes: Record<KeywordShape, [Fits, string]> = {
  any: [() => true, ''],
  string: [isString, 'a string'],
  number: [isNumber, 'a number'],
  count: [isCount, 'a whole number from 0'],
  boolean: [isBoolean, 'true or false'],
  names: [isNames, 'a list of names'],
  choices: [(value) => Array.isArray(value) && value.length > 0, 'a list of at least one value'],
  type: [
    (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
    `one or more of ${typeNames.join(', ')}`,
  ],
  schema: [isSchema, 'a schema'],
  schemas: [isSchemas, 'a list of schemas'],
  schemaMap: [isMapOf(isSchema), 'an object of schemas'],
  namesMap: [isMapOf(isNames), 'an object of lists of names'],
  schemaOrNamesMap: [
    isMapOf((value) => isSchema(value) || isNames(value)),
    'an object of schemas or lists of names',
  ],
  items: [(value) => isSchema(value) || isSchemas(value), 'a schema or a list of schemas'],
}

function isMapOf(fits: Fits): Fits {
  return (value) => isObject(value) && Object.values(value as object).every(fits)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
