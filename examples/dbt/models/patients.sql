-- The source of the release. Incremental, since a model of another kind drops its table at every run, and a
-- release with it. After dbt run --full-refresh the release is published anew.
{{ config(materialized='incremental', unique_key='patient_id') }}
SELECT patient_id, birth_date, weight, diagnosis FROM admissions
