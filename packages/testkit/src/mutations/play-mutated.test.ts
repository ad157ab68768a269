import { expect, test, vi } from 'vitest'
import { mutateJson } from './mutate-json.ts'
import { playMutated } from './play-mutated.ts'
import { createRandom } from './random.ts'

const samples = ['{"name":"a","list":[1,{"b":null}],"on":true}', '["x",{"y":"z"}]']

async function inputsOf(seed: number, count = 2_000): Promise<string[]> {
  const inputs: string[] = []
  await playMutated({ samples, count, seed }, (input) => inputs.push(input.toString('latin1')))
  return inputs
}

test('the same seed gives the same cases, another one others', async () => {
  const first = await inputsOf(7)
  expect(await inputsOf(7)).toEqual(first)
  expect(new Set(await inputsOf(8)).intersection(new Set(first)).size).toBeLessThan(1_000)
  expect(new Set(first).size).toBeGreaterThan(1_500)
})

test('TEST_SEED says which cases are played', async () => {
  vi.stubEnv('TEST_SEED', '7')
  const inputs: string[] = []
  await playMutated({ samples, count: 50 }, (input) => inputs.push(input.toString('latin1')))
  expect(inputs).toEqual((await inputsOf(7)).slice(0, 50))
})

test('some cases are JSON and some are not', async () => {
  const inputs = await inputsOf(1)
  const good = inputs.filter((input) => isJson(input)).length
  expect(good).toBeGreaterThan(inputs.length / 5)
  expect(good).toBeLessThan((inputs.length * 4) / 5)
})

test.each([
  ['a key that is a prototype', /"__proto__":/],
  ['a key written with an escape', /"\\u/],
  ['a key twice', /"name":[^,]*,\s*"name":/],
  ['half of a pair', /\\ud800/],
  ['a text that runs the other way', /\\u202e|\u202e/],
  ['a character of control', /\\u0000/],
  ['a number that no double holds', /1e999|123456789012345678901234567890/],
  ['great depth', /(?:\[){60}|(?:\{"a":){60}/],
])('%s is among them', (_, pattern) => {
  const random = createRandom(3)
  const texts = Array.from({ length: 3_000 }, () => mutateJson(samples[0] ?? '', random))
  expect(texts.some((text) => pattern.test(text))).toBe(true)
})

test('a case that fails is told with its seed and what was put in', async () => {
  const played = playMutated({ samples: ['{"a":1}'], count: 50, seed: 4 }, (input) => {
    if (!isJson(input.toString())) throw new TypeError('no JSON')
  })
  await expect(played).rejects.toThrow(/^case \d+ of seed 4 failed: ["b]/)
})

test('a prototype that changes, and a case that takes long, are failures', async () => {
  const pollute = () => Object.assign(Object.prototype, { polluted: true })
  try {
    await expect(playMutated({ samples, count: 1 }, pollute)).rejects.toMatchObject({
      cause: new Error('a prototype has changed'),
    })
  } finally {
    Reflect.deleteProperty(Object.prototype, 'polluted')
  }
  const slow = playMutated({ samples, count: 1, caseMs: -1 }, () => {})
  await expect(slow).rejects.toThrow('case 0')
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
