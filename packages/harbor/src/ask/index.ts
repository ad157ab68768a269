export { type ClientAskerOptions, createClientAsker } from './client-asker.ts'
export { createTally, type Tally } from './tally.ts'
