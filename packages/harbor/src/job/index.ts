export { runJob } from './run-job.ts'
