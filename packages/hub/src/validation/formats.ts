import addFormats from 'ajv-formats'

/** The longest text that each format is checked on: longer ones do not fit it. */
const longest: Readonly<Record<string, number>> = {
  date: 32,
  time: 64,
  'date-time': 96,
  'iso-time': 64,
  'iso-date-time': 96,
  duration: 128,
  email: 320,
  hostname: 254,
  ipv4: 15,
  ipv6: 45,
  uuid: 45,
  uri: 2_048,
  'uri-reference': 2_048,
  'uri-template': 2_048,
  'json-pointer': 2_048,
  'relative-json-pointer': 2_048,
}

/** A `data:` address may be long; it is then checked for its scheme alone. */
const longUri = /^[a-z][a-z0-9+.-]*:/i

type FormatCheck = (text: string) => boolean

/**
 * The formats that are checked, each in a time that is bounded. Others are notes for people, as
 * JSON Schema says.
 */
export const formats: ReadonlyMap<string, FormatCheck> = new Map(
  Object.entries(longest).map(([name, max]) => [name, toCheck(name, max)]),
)

function toCheck(name: string, max: number): FormatCheck {
  const check = toTest(name)
  const overlong: FormatCheck = name.startsWith('uri') ? (text) => longUri.test(text) : () => false
  return (text) => (text.length > max ? overlong(text) : check(text))
}

function toTest(name: string): FormatCheck {
  const format: unknown = addFormats.default.get(name as 'date')
  const definition = typeof format === 'object' && !(format instanceof RegExp) ? format : undefined
  const validate = definition ? (definition as { validate: unknown }).validate : format
  if (validate instanceof RegExp) return (text) => validate.test(text)
  return validate as FormatCheck
}
