export { findService, getServiceUse, listServices, type Service } from './services.ts'
export { addSummary, listSummaries } from './summaries.ts'
export { type Customer, getCustomer, getUser, searchUsers } from './users.ts'
export { type Consultation, listConsultations, listTreatments, type Treatment } from './visits.ts'
