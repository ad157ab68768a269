import { AppError } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { createStartError } from '../config/index.ts'
import { testConfig } from '../testing/test-app.ts'
import { explainFailure } from './explain-failure.ts'

const zh = testConfig({ lang: 'zh' })

test('what the operator can mend is told in the language of the terminal', () => {
  const error = createStartError({ en: 'Change it.', zh: '请修改。' }, undefined)
  expect(explainFailure(error, testConfig())).toEqual({ code: 2, text: 'Change it.' })
  expect(explainFailure(error, zh)).toEqual({ code: 2, text: '请修改。' })
})

test('a message that exists in English only is led in by its kind', () => {
  const error = new AppError('store_unavailable', 'the mysql database cannot be reached')
  const text = '数据库不可用：the mysql database cannot be reached'
  expect(explainFailure(error, zh)).toEqual({ code: 1, text })
})

test('what nobody expected is left to the log', () => {
  for (const error of [new TypeError('x'), new AppError('internal', 'x'), undefined])
    expect(explainFailure(error, zh)).toEqual({ code: 1 })
})
