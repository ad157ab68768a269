import { settingsSchema } from '@dataagent/core'
import { expect, test } from 'vitest'
import { secretVariables } from './load.ts'
import { modelVariables } from './model-variables.ts'

test('every variable that the agent reads is described, and those with keys are secret', () => {
  const names = modelVariables.map(({ env }) => env)
  expect(names.toSorted()).toEqual(Object.keys(settingsSchema.shape).toSorted())
  const keys = names.filter((name) => name.endsWith('_KEY'))
  expect(modelVariables.filter(({ secret }) => secret).map(({ env }) => env)).toEqual(keys)
})

test('no child inherits a secret: its variable is on the list of those to remove', () => {
  expect(secretVariables).toEqual(
    expect.arrayContaining(['OPENAI_API_KEY', 'TAVILY_API_KEY', 'DATAAGENT_OTLP_HEADERS']),
  )
})
