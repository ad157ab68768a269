import type { ChangeKind } from '@dataagent/schema'
import { aDefinition, aQuestion, aSource, describeDataStore } from '@dataagent/testkit/data-store'
import { expect, test } from 'vitest'
import { describeSql } from '../describe-sql.ts'
import { aNote, notesOf } from '../test-builders.ts'

await describeSql('the data store', (subject) => describeDataStore(() => subject().store.data))

const room = { max: 2 }

await describeSql('changes of the data room', (subject) => {
  const data = () => subject().store.data

  test('are stored with their note, or neither is', async () => {
    const source = aSource()
    const { tenant_id, source_id } = source
    const about = (kind: ChangeKind, target: string) => ({
      note: aNote({ tenant_id, kind, target }),
    })
    const { sources, definitions, questions } = data()
    await sources.create(source, { ...room, ...about('data_source', 'made') })
    await sources.update(tenant_id, source_id, { name: 'b' }, about('data_source', 'changed'))
    const definition = aDefinition({ tenant_id })
    const question = aQuestion({ tenant_id })
    await definitions.put(definition, { ...room, ...about('data_definition', 'put') })
    await questions.put(question, { ...room, ...about('data_question', 'put') })
    const twice = sources.create(source, { ...room, ...about('data_source', 'refused') })
    await expect(twice).rejects.toMatchObject({ code: 'conflict' })
    for (const [n, target] of ['gone', 'nothing'].entries()) {
      const wasThere = n === 0
      const { definition_id } = definition
      const ofDefinition = about('data_definition', target)
      expect(await definitions.delete(tenant_id, definition_id, ofDefinition)).toBe(wasThere)
      const { question_id } = question
      const ofQuestion = about('data_question', target)
      expect(await questions.delete(tenant_id, question_id, ofQuestion)).toBe(wasThere)
      const ofSource = about('data_source', target)
      expect(await sources.delete(tenant_id, source_id, ofSource)).toBe(wasThere)
    }
    expect((await notesOf(subject().store, tenant_id)).toSorted()).toEqual([
      'data_definition gone',
      'data_definition put',
      'data_question gone',
      'data_question put',
      'data_source changed',
      'data_source gone',
      'data_source made',
    ])
  })
})
