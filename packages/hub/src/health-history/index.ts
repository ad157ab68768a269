export { createHealthHistory, type HealthHistory } from './health-history.ts'
