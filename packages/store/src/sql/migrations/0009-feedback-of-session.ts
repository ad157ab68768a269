import type { Migration } from '../migrate.ts'

/** Feedback is found by its session alone: whoever deletes expired sessions knows their ids. */
export const feedbackOfSession: Migration = {
  name: '0009-feedback-of-session',
  async up({ createIndex }) {
    await createIndex('turn_feedback_of_session', {
      table: 'turn_feedback',
      columns: ['session_id'],
    })
  },
}
