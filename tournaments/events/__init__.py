"""Events, their terms, series and leagues, and the journal of their facts."""
