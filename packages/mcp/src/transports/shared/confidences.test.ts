import { createCanary } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createConfidences } from './confidences.ts'

const { apiKey, password } = createCanary()
const fault = (message: string, data?: unknown) => ({
  jsonrpc: '2.0' as const,
  id: 1,
  error: { code: -32000, message, data },
})

describe('what a server was told in confidence', () => {
  test('is taken out of the message and the data of an error, keys among them', () => {
    const confidences = createConfidences([apiKey, password])
    const base64 = Buffer.from(`user:${apiKey}`).toString('base64')
    const said = fault(`bad ${apiKey}`, { [apiKey]: [password, 7, null], base64 })
    const { error } = confidences.inAnswer(said) as typeof said
    expect(error).toMatchObject({ message: 'bad ***', data: { '***': ['***', 7, null] } })
    expect(JSON.stringify(error)).not.toContain(base64.slice(8, -4))
  })

  test('stays in a result', () => {
    const answer = { jsonrpc: '2.0' as const, id: 1, result: { apiKey } }
    expect(createConfidences([apiKey]).inAnswer(answer)).toBe(answer)
  })

  test('is known when it was added later, or is given for one answer', () => {
    const confidences = createConfidences()
    expect(confidences.inText(apiKey)).toBe(apiKey)
    expect(confidences.inText(apiKey, [apiKey])).toBe('***')
    confidences.add([password])
    confidences.addPassing([apiKey])
    expect(confidences.inText(`${apiKey}, ${password}`)).toBe('***, ***')
  })

  test('is forgotten of those that pass when many came after it, and never of the others', () => {
    const confidences = createConfidences([password])
    confidences.addPassing([apiKey])
    for (let i = 0; i < 100; i += 1) confidences.addPassing([`credential-${i}-`])
    expect(confidences.inText(`${password} credential-99- ${apiKey}`)).toBe(`*** *** ${apiKey}`)
  })

  test('leaves no part of itself where a text is cut', () => {
    const confidences = createConfidences([apiKey])
    for (let max = 0; max < 200; max += 1) {
      const told = confidences.inBeginning(`key: ${apiKey} ${'and so on '.repeat(50)}`, max)
      expect(told.length).toBeLessThanOrEqual(max)
      expect(`key: *** ${'and so on '.repeat(50)}`.startsWith(told)).toBe(true)
    }
    expect(confidences.inBeginning(`it is ${apiKey}`, 120)).toBe('it is ***')
  })
})
