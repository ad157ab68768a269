export { addDays, asOf, daysBetween } from './days.ts'
export { type Clinic, openClinicDatabase } from './open-database.ts'
export { all, first } from './query.ts'
export {
  type Caution,
  type Concern,
  concerns,
  outcomes,
  roles,
  serviceCategories,
} from './words.ts'
