import type { ToolDefinition } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { hasHidden } from './hidden-characters.ts'
import { scanDefinition } from './scan-definition.ts'
import { benignDefinitions } from './test-corpus/test-benign.ts'
import { poisonedDefinitions } from './test-corpus/test-poisoned.ts'
import { unseenBenign, unseenPoisoned } from './test-corpus/test-unseen.ts'

const isHigh = (definition: ToolDefinition, neighbours: Iterable<string> = []) =>
  scanDefinition(definition, { neighbours }).findings.some(({ severity }) => severity === 'high')

test('poisoned definitions are found: at least 95 of 100 [T9]', () => {
  const missed = poisonedDefinitions.filter(
    ({ definition, neighbours }) => !isHigh(definition, neighbours),
  )
  const recall = 1 - missed.length / poisonedDefinitions.length
  console.info(`recall ${recall.toFixed(4)} of ${poisonedDefinitions.length} poisoned definitions`)
  expect(poisonedDefinitions.length).toBeGreaterThanOrEqual(200)
  expect(recall, missed.map(({ label }) => label).join('\n')).toBeGreaterThanOrEqual(0.95)
})

test('honest definitions are left alone: at most 3 of 100 wait for a person', () => {
  const names = benignDefinitions.map(({ name }) => name)
  const alarms = benignDefinitions.filter((definition) => isHigh(definition, names))
  const rate = alarms.length / benignDefinitions.length
  console.info(`false alarms ${rate.toFixed(4)} of ${benignDefinitions.length} definitions`)
  expect(benignDefinitions.length).toBeGreaterThanOrEqual(150)
  expect(rate, alarms.map(({ name }) => name).join('\n')).toBeLessThanOrEqual(0.03)
})

test('free words that no phrase was written for: what is found is printed, honest ones pass', () => {
  const aTool = (description: string) => ({ name: 'tool', description, inputSchema: {} })
  const found = unseenPoisoned.filter((text) => isHigh(aTool(text)))
  const alarms = unseenBenign.filter((text) => isHigh(aTool(text)))
  console.info(`found ${found.length} of ${unseenPoisoned.length} attacks in free words`)
  expect(alarms).toEqual([])
})

test('no hidden character of the corpus reaches a neutralised definition [T9]', () => {
  const all = [...poisonedDefinitions.map(({ definition }) => definition), ...benignDefinitions]
  for (const definition of all) {
    const { definition: clean, findings } = scanDefinition(definition)
    expect(textsOf(clean).filter(hasHidden)).toEqual([])
    expect(textsOf(findings as never).filter(hasHidden)).toEqual([])
  }
})

test('honest texts stay as they are, but for what is hidden or too long', () => {
  for (const definition of benignDefinitions) {
    if (textsOf(definition).some((text) => hasHidden(text) || text.length > 1_024)) continue
    expect(scanDefinition(definition).definition).toEqual(definition)
  }
})

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsOf(inner)])
}
