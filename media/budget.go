package media

import "quicksand/internal/meter"

// LimitName is the name of a run's media budget in limits and errors.
const LimitName = meter.RunMedia

// A Budget bounds the memory that the media of one run take on the host. It is that of the
// run itself, so that everything which holds media shares it.
type Budget = meter.Budget

// A BudgetError says that a budget is exhausted.
type BudgetError = meter.BudgetError

// NewBudget makes a budget of limit bytes.
func NewBudget(limit int64) *Budget { return meter.NewBudget(limit) }
