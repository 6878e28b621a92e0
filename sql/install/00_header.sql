\echo Use "CREATE EXTENSION anonkit" to load this file. \quit
