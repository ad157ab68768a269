import { describe, expect, test } from 'vitest'
import { withoutRepeats } from './without-repeats.ts'

const text = (words: string) => ({ type: 'text', text: words })
const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' }

describe('texts beside structured content', () => {
  const rows = { rows: [{ id: 1, name: 'a' }] }
  test.each<[string, unknown[], unknown, unknown[]]>([
    ['the same again is left out', [text(JSON.stringify(rows)), image], rows, [image]],
    ['in another order and with spaces too', [text('{"b": 1,\n"a": 2}')], { a: 2, b: 1 }, []],
    ['under the name of what is no object', [text('[1,2]')], { result: [1, 2] }, []],
    ['as it is, where it is a text', [text('Hello')], { result: 'Hello' }, []],
    ['each of a list by itself', [text('{"a":1}'), text('two')], { result: [{ a: 1 }, 'two'] }, []],
    ['what says something else stays', [text('300 rows')], rows, [text('300 rows')]],
    ['other values too', [text('{"a":1}')], { a: 2 }, [text('{"a":1}')]],
    ['and more fields', [text('{"a":1,"b":1}')], { a: 1 }, [text('{"a":1,"b":1}')]],
    ['one that repeats goes alone', [text('{"a":1}'), text('Note')], { a: 1 }, [text('Note')]],
    ['of nothing all stays', [text('null'), text('')], undefined, [text('null'), text('')]],
    ['a part that is none stays', [null, { type: 'text' }], { a: 1 }, [null, { type: 'text' }]],
  ])('%s', (_, content, structured, left) => {
    expect(withoutRepeats(content, structured)).toEqual(left)
  })

  test('are compared at any depth', () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    expect(withoutRepeats([text(deep)], JSON.parse(deep))).toEqual([text(deep)])
  })
})
