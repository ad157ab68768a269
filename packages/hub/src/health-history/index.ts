export { createHealthHistory, type HealthChange, type HealthHistory } from './health-history.ts'
