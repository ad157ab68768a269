import { expect, test } from 'vitest'
import { emptyDraft, toConfig } from './draft.ts'
import { fillTemplate, placesOf } from './templates.ts'

const template = {
  ...{ name: 'files', command: 'npx', args: ['-y', 'server', '{folder}', '--as={who}/{folder}'] },
  ...{ params: { folder: '[a-z]+', who: '.*' }, env: ['LEVEL'], cwd: '/srv' },
}

test('a template names what is to be filled in, once each', () => {
  expect(placesOf(template)).toEqual(['folder', 'who'])
})

test('a template that is filled in is the command it stands for', () => {
  const draft = fillTemplate(emptyDraft(), template, { folder: 'data', who: 'ana' })
  expect(toConfig(draft)).toMatchObject({
    ...{ name: 'files', transport: 'stdio', command: 'npx', cwd: '/srv' },
    ...{ args: ['-y', 'server', 'data', '--as=ana/data'], env: { LEVEL: '' } },
  })
})

test('what is not filled in yet is still to be seen', () => {
  expect(fillTemplate(emptyDraft(), template, { folder: 'data' }).args).toContain('--as={who}/data')
})
