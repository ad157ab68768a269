import type { Migration } from '../migrate.ts'

/** What whoever saved a question says of it. */
export const questionNotes: Migration = {
  name: '0014-question-notes',
  async up({ types, addColumn }) {
    await addColumn('data_questions', 'note', (table) => table.addColumn('note', types.text))
  },
}
