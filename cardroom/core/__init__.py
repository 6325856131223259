"""What every room of the house stands on: errors, access, approvals, alarms, the audit log and notices."""
