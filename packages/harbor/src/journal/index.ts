export { type JournalHeader, type OpenJournal, openJournal } from './journal.ts'
export { openTranscripts } from './transcripts.ts'
