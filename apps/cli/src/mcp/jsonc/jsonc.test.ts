import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withChild, withoutChild, withValue } from './edit-jsonc.ts'
import { memberOf, type ObjectNode, parseJsonc, toValue } from './parse-jsonc.ts'

const plainOf = (text: string) => toValue(parseJsonc(text))
const objectOf = (text: string) => parseJsonc(text) as ObjectNode

test('comments and trailing commas are read over, also where texts look like them', () => {
  const text = `// first
  { "url": "https://a/*b", /* within */ "list": [1, -2.5e3, true, null,], // at the end
  }
  // last`
  expect(plainOf(text)).toEqual({ url: 'https://a/*b', list: [1, -2500, true, null] })
})

test.each([
  ['{"a" 1}', 'line 1: expected ":"'],
  ['{\n"a": 1\n"b": 2}', 'line 3: expected "," or "}"'],
  ['{"a": tru}', 'line 1: expected a value'],
  ['{"a": "x\n"}', 'line 1: expected a text that ends on its line'],
  ['[1,,2]', 'line 1: expected a value'],
  ['{} {}', 'line 1: expected the end of the file'],
  ['{a: 1}', 'line 1: expected a name in double quotes'],
  ['{"a": "secret', 'line 1: expected a text that ends on its line'],
  ['/* open', 'line 1: expected a value'],
  ['', 'line 1: expected a value'],
  ['['.repeat(100_000), 'line 1: expected at most 64 levels'],
])('%j is refused with its line and nothing of what stands there', (text, message) => {
  expect(() => parseJsonc(text)).toThrow(new RegExp(`^${RegExp.escape(message)}$`))
})

test('it reads all that JSON.parse reads, alike', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      expect(JSON.stringify(plainOf(text))).toBe(JSON.stringify(JSON.parse(text)))
    }),
  )
})

test('whatever text is given, it is read or refused', () => {
  const signs = fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '/', '*', '\\', '\n', ' ', '1')
  fc.assert(
    fc.property(fc.string({ unit: signs, maxLength: 30 }), (text) => {
      expect(() => parseJsonc(text)).not.toThrow(TypeError)
    }),
  )
})

const commented = `{
\t// mine
\t"a": { "command": "x" }, // about a
\t/* about b */
\t"b": 1 // the last
}
`

test('what is added stands at the end, indented as its neighbours; all comments stay', () => {
  expect(withChild(commented, objectOf(commented), { key: 'c', value: { d: 1 } })).toBe(`{
\t// mine
\t"a": { "command": "x" }, // about a
\t/* about b */
\t"b": 1, // the last
\t"c": {
\t\t"d": 1
\t}
}
`)
})

test('what is removed takes its line and comma along, and says when a comment went', () => {
  const first = withoutChild(commented, objectOf(commented), 0)
  expect(first).toEqual({
    text: '{\n\t// mine\n\t/* about b */\n\t"b": 1 // the last\n}\n',
    losesComments: true,
  })
  const second = withoutChild(first.text, objectOf(first.text), 0)
  expect(second.text).toBe('{\n\t// mine\n\t/* about b */\n}\n')
})

test.each(['{}', '{\n}', '{ // empty\n}', '{"a":1}', '{"a":1,}', '{\r\n  "a": 1,\r\n}\r\n'])(
  'a member is added to %j',
  (text) => {
    const changed = withChild(text, objectOf(text), { key: 'n', value: [1] })
    expect(plainOf(changed)).toEqual({ ...(plainOf(text) as object), n: [1] })
    expect(changed.includes('//')).toBe(text.includes('//'))
    expect(/[^\r]\n/.test(changed) && text.includes('\r\n')).toBe(false)
  },
)

const layout = fc.constantFrom(undefined, 1, 2, 4, '\t')
const members = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 })
/** Comments where a person would write them, and a comma too many. */
const marks = fc.record({ above: fc.boolean(), behind: fc.boolean(), comma: fc.boolean() })

function decorate(text: string, { above, behind, comma }: Record<string, boolean>): string {
  const lines = text.split('\n')
  if (lines.length < 3) return comma && text !== '{}' ? text.replace(/\}$/, ',}') : text
  if (comma) lines[lines.length - 2] += ','
  if (behind) lines[lines.length - 2] += ' // behind'
  if (above) lines[0] += ' /* above */'
  return lines.join('\n')
}

test('any member can be added, changed and removed, and nothing else changes', () => {
  fc.assert(
    fc.property(members, layout, marks, fc.nat(), (value, space, mark, at) => {
      const text = decorate(JSON.stringify(value, null, space), mark)
      expect(plainOf(text)).toEqual(JSON.parse(JSON.stringify(value)))
      const json = JSON.parse(JSON.stringify(value))
      const added = withChild(text, objectOf(text), { key: 'added here', value: { x: [1] } })
      expect(plainOf(added)).toEqual({ ...json, 'added here': { x: [1] } })
      const root = objectOf(added)
      const index = at % root.children.length
      const key = root.children[index]?.key ?? ''
      const { [key]: _gone, ...left } = plainOf(added) as Record<string, unknown>
      expect(plainOf(withoutChild(added, root, index).text)).toEqual(left)
      const place = memberOf(root, 'added here')?.value
      const changed = place && withValue(added, place, false).text
      expect(plainOf(changed ?? '')).toEqual({ ...json, 'added here': false })
    }),
  )
})
