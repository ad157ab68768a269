import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readArguments } from './read-arguments.ts'

describe('arguments', () => {
  test.each<[string, string, object]>([
    ['valid', '{"a":1}', { a: 1 }],
    ['empty', '  ', {}],
    ['null', 'null', {}],
    ['written twice over', '"{\\"a\\":1}"', { a: 1 }],
    ['trailing commas', '{"a":[1,2,],"b":{"c":"d",},}', { a: [1, 2], b: { c: 'd' } }],
    ['a missing brace', '{"a":"b"', { a: 'b' }],
    ['missing brackets', '{"a":[{"b":"c"}', { a: [{ b: 'c' }] }],
    ['a trailing comma and a missing brace', '{"a":"b",', { a: 'b' }],
    ['single quotes', "{'a': 'it\\'s', 'b': 'say \"hi\"'}", { a: "it's", b: 'say "hi"' }],
    ['a code fence', '```json\n{"a":1}\n```', { a: 1 }],
    ['an open code fence', '```\n{"a":1}', { a: 1 }],
    ['Python literals', '{"a":True,"b":False,"c":None}', { a: true, b: false, c: null }],
    ['bare keys', '{a: 1, b_c: "x"}', { a: 1, b_c: 'x' }],
    ['comments', '{"a":1, // one\n/* two */ "b":2}', { a: 1, b: 2 }],
    ['raw line ends', '{"a":"one\ntwo"}', { a: 'one\ntwo' }],
    ['needless escapes', '{"a":"C:\\dir \\u4f60"}', { a: 'C:dir 你' }],
    ['an object twice', '{"a":1}{"a":1}', { a: 1 }],
    ['an empty object before', '{}{"a":1}', { a: 1 }],
    ['a growing object', '{"a":1}\n{"a":1,"b":2}', { a: 1, b: 2 }],
  ])('%s are read', (_, json, expected) => {
    expect(readArguments(json)).toEqual(expected)
  })

  test.each([
    ['a text that is cut', '{"path":"a","text":"hal'],
    ['a number that may be cut', '{"amount":12'],
    ['a key without a value', '{"a":'],
    ['two different objects', '{"city":"Rome"}{"city":"Oslo"}'],
    ['a list', '[1]'],
    ['a number', '5'],
    ['words', 'get the weather'],
    ['a prototype', "{'__proto__': {'x': 1}}"],
    ['what is nested too deep', "{'a':".repeat(1_000)],
    ['a broken escape', '{"a":"\\u12g4",}'],
  ])('%s are not guessed', (_, json) => {
    expect(readArguments(json)).toBeUndefined()
  })

  test('without repair only JSON is read', () => {
    expect(readArguments('{"a":"b"', { repairs: false })).toBeUndefined()
    expect(readArguments('{"a":"b"}', { repairs: false })).toEqual({ a: 'b' })
  })

  test('whatever comes, nothing is thrown, and JSON is read as JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (object, at) => {
        const json = JSON.stringify(object)
        if (!('__proto__' in object)) expect(readArguments(json)).toEqual(JSON.parse(json))
        readArguments(json.slice(0, at % (json.length + 1)))
        readArguments(`${json.slice(0, at % (json.length + 1))}'${json}`)
      }),
      { numRuns: 300 },
    )
  })

  test('a long nonsense takes linear time', () => {
    for (const piece of ["{'a':", '/*', '```', '[', "'", '\\', ' ', '{}', '//']) {
      const began = performance.now()
      readArguments(`{${piece.repeat(200_000)}`)
      expect(performance.now() - began).toBeLessThan(3_000)
    }
  })
})
